import { array, lazy, object, string } from "yup";
import { FIELDS } from "./fields";
import type { RuleValues } from "./values";

const ADDRESS = "Begin it with https://, as the browser shows it.";

function isAddress(text: string): boolean {
  return text === "" || /^https?:\/\/[^\s/]+/i.test(text);
}

/** Returns why a value for rows without one can't be used; nothing for a good one. */
function problemOf(field: string, constant: string, { as }: RuleValues): string | undefined {
  if (constant === "") {
    return undefined;
  }
  if (field === "affiliateLink" || field === "images") {
    return isAddress(constant) ? undefined : ADDRESS;
  }
  if ((as === "number" || as === "plain") && !/\d/.test(constant)) {
    return "Write a number in digits, like 399 or 1,29,900.";
  }
  if ((as === "date" || as === "until") && !/\d/.test(constant)) {
    return "Write a date, like 31/12/2026 or 2026-12-31.";
  }
  return undefined;
}

function rule(field: string) {
  return lazy((values: RuleValues) =>
    object({
      columns: array().of(string()),
      constant: string().test("constant", (constant, context) => {
        const message = problemOf(field, constant ?? "", values);
        return message === undefined || context.createError({ message });
      }),
      prefix: string().test("prefix", ADDRESS, (prefix) => isAddress(prefix ?? "")),
    }),
  );
}

export const mappingSchema = object(Object.fromEntries(FIELDS.map(({ name }) => [name, rule(name)])));
