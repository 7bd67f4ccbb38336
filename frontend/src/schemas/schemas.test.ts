import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type AnyObjectSchema, ValidationError } from "yup";
import {
  changePasswordSchema,
  codeSchema,
  emailSchema,
  loginSchema,
  registerSchema,
  resetPasswordSchema,
} from "./account";
import { addProductSchema, updateProductSchema } from "./product";

interface Case {
  form: string;
  name: string;
  input: Record<string, unknown>;
  errors: Record<string, string>;
}

const CATEGORIES = ["Electronics", "Clothing", "Books", "Home"];

const SCHEMAS: Record<string, AnyObjectSchema> = {
  login: loginSchema,
  register: registerSchema,
  code: codeSchema,
  "forgot-password": emailSchema,
  "reset-password": resetPasswordSchema,
  add: addProductSchema(CATEGORIES),
  update: updateProductSchema(CATEGORIES),
  "change-password": changePasswordSchema.omit(["repeated"]),
};

async function messages(schema: AnyObjectSchema, input: unknown): Promise<Record<string, string>> {
  try {
    await schema.validate(input, { abortEarly: false });
    return {};
  } catch (error) {
    if (!(error instanceof ValidationError)) {
      throw error;
    }
    return Object.fromEntries(error.inner.map(({ path, message }) => [path ?? "", message]).reverse());
  }
}

// Tests run in the front end's folder; the table belongs to both sides.
const table = "../tests/fixtures/invalid-inputs.json";
const cases = JSON.parse(readFileSync(table, "utf8")) as Case[];

describe("the rules that the server has too", () => {
  it.each(cases)("$form: $name", async ({ form, input, errors }) => {
    const schema = SCHEMAS[form];
    if (!schema) {
      throw new Error(`${form} has no schema`);
    }
    expect(await messages(schema, input)).toEqual(errors);
  });
});
