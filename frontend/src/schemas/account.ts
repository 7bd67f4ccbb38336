import { object, ref, type StringSchema, string } from "yup";
import { maxEmail, maxPassword, maxUsername, minPassword, minUsername } from "../lib/constants.json";

// The rules and messages of spec section 5; the server has the same, and both
// are tested with tests/fixtures/invalid-inputs.json.

/** Counts characters, not UTF-16 code units. */
function characters(text: string | undefined): number {
  return Array.from(text ?? "").length;
}

function atLeast(schema: StringSchema, least: number, message: string) {
  return schema.test("at-least", message, (text) => characters(text) >= least);
}

function atMost(schema: StringSchema, most: number, message: string) {
  return schema.test("at-most", message, (text) => characters(text) <= most);
}

const LOCAL = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const EMAIL = new RegExp(
  `^${LOCAL}(?:\\.${LOCAL})*@(?:${LABEL}\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$`,
);

/** Returns a domain of another script in ASCII, as the server stores it. */
function ascii(domain: string): string {
  if (/^[ -~]*$/.test(domain)) return domain;
  if (/[ -,/:-@[-`{-~]/.test(domain) || !URL.canParse(`http://${domain}`)) return "";
  return new URL(`http://${domain}`).hostname;
}

function isEmail(text: string | undefined): boolean {
  const [, local = "", domain = ""] = /^(.*)@(.*)$/s.exec(text ?? "") ?? [];
  const address = `${local}@${ascii(domain)}`;
  return address.length <= maxEmail && local.length <= 64 && EMAIL.test(address);
}

const email = string().trim().test("email", "Please enter a valid email address.", isEmail);

const password = atMost(
  atLeast(string(), minPassword, "Password must be at least 8 characters long."),
  maxPassword,
  "Password must be at most 128 characters long.",
);

const code = string()
  .trim()
  .test("code", "Please enter the 6-digit code.", (text) => /^[0-9]{6}$/.test(text ?? ""));

const username = atMost(
  atLeast(string().trim(), minUsername, "Username must be at least 3 characters long."),
  maxUsername,
  "Username must be at most 50 characters long.",
).test(
  "control",
  "Username must not contain line breaks or control characters.",
  (text) => !/\p{Cc}/u.test(text ?? ""),
);

export const loginSchema = object({ email, password });
export const registerSchema = object({ username, email, password });
export const ownPasswordSchema = object({ password });
export const invitedSchema = object({ username, password });
export const codeSchema = object({ email, code });
export const passwordSchema = object({ password });
export const emailSchema = object({ email });
export const resetPasswordSchema = object({ email, code, password });
export const changePasswordSchema = object({
  currentPassword: password,
  newPassword: password,
  repeated: string().oneOf([ref("newPassword")], "The two passwords differ."),
});
