import { object, type StringSchema, string } from "yup";
import { maxPageText, maxPageTitle } from "../lib/constants.json";

// The rules of src/domain/settings/change.rs.

export function line(what: string, most: number): StringSchema {
  return string()
    .trim()
    .test(
      "most",
      `${what} must be at most ${most} characters.`,
      (value) => Array.from(value ?? "").length <= most,
    );
}

export const link = string()
  .trim()
  .test(
    "link",
    "The link must be a whole address that begins with https://.",
    (value) => !value || (value.startsWith("https://") && URL.canParse(value)),
  );

export const contact = string()
  .trim()
  .test(
    "email",
    "The contact must be an e-mail address, like you@example.com.",
    (value) => !value || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value),
  );

export const pageSchema = object({
  slug: string()
    .trim()
    .matches(/^[a-z0-9-]{1,40}$/, "The address must be 1 to 40 small letters, digits or -, like about."),
  title: line("The title", maxPageTitle).test("least", "Please enter a title.", (value) => Boolean(value)),
  text: line("The text", maxPageText).test("least", "Please enter a text.", (value) => Boolean(value)),
});
