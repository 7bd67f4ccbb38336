import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type AnyObjectSchema, ValidationError } from "yup";
import { aProduct } from "../test/fake-server";
import {
  changePasswordSchema,
  codeSchema,
  emailSchema,
  loginSchema,
  registerSchema,
  resetPasswordSchema,
} from "./account";
import { addProductSchema, EMPTY_PRODUCT, fromProduct, toInput, updateProductSchema } from "./product";
import { toMoney, unclearMoney } from "./values";

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

it.each([
  ["4,490", 4490],
  ["₹1,299", 1299],
  ["Rs. 1,05,000.50", 105000.5],
  ["1 299/-", 1299],
  ["1,234,567", 1234567],
  ["1050.5", 1050.5],
  ["1.299", undefined],
  ["1,29", undefined],
  ["1.299,00", undefined],
])("reads the price %s as a shop writes it", (typed, amount) => {
  expect(toMoney(typed)).toBe(amount ?? Number.NaN);
  expect(unclearMoney(typed)).toBe(
    amount === undefined ? `“${typed}” can mean two amounts: write it like 1,299 or 1299.50.` : undefined,
  );
});

it("sends no ratings for empty fields", () => {
  expect(toInput(EMPTY_PRODUCT)).toMatchObject({ averageRating: 0, totalRatings: 0 });
});

it("keeps a rating of 0, and shows none where nobody rated", async () => {
  const form = (averageRating: number, totalRatings: number) =>
    fromProduct(aProduct({ ratings: { averageRating, totalRatings } }));
  expect(form(0, 1)).toMatchObject({ averageRating: "0", totalRatings: "1" });
  expect(await messages(updateProductSchema(CATEGORIES), form(0, 1))).toEqual({});
  expect(form(0, 0)).toMatchObject({ averageRating: "", totalRatings: "" });
});
