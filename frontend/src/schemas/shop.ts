import { object, type StringSchema, string } from "yup";
import { maxPageText, maxPageTitle } from "../lib/constants.json";

// The rules of src/domain/settings/change.rs and contact.rs.

export function line(what: string, most: number): StringSchema {
  return string()
    .trim()
    .test(
      "most",
      `${what} must be at most ${most} characters.`,
      (value) => Array.from(value ?? "").length <= most,
    );
}

const link = string()
  .trim()
  .test(
    "link",
    "The link must be a whole address that begins with https://.",
    (value) => !value || (value.startsWith("https://") && URL.canParse(value)),
  );

/** Returns the link of a name at a host, of letters, digits and `marks`; another text as it is. */
function profileLink(text: string, host: string, marks: string): string {
  const given = text.trim();
  const name = given.startsWith(`${host}/`) ? given.slice(host.length + 1) : given.replace(/^@/, "");
  return name !== host && new RegExp(`^[a-z0-9${marks}]{1,32}$`, "i").test(name)
    ? `https://${host}/${name}`
    : given;
}

export const telegramLink = (text: string) => profileLink(text, "t.me", "_");

export const instagramLink = (text: string) => profileLink(text, "instagram.com", "_.");

/** A name at a service, or a whole address. */
function profile(linkOf: (text: string) => string): StringSchema {
  return string()
    .trim()
    .test("link", "Enter a name, like @example, or a whole address that begins with https://.", (value) =>
      link.isValidSync(linkOf(value ?? "")),
    );
}

export const telegram = profile(telegramLink);

export const instagram = profile(instagramLink);

/** Returns the link of a telephone number, of India if it has ten digits; another text as it is. */
export function whatsappLink(text: string): string {
  const given = text.trim();
  const digits = given.replace(/\D/g, "").replace(/^0+/, "");
  if (!/^[\d +()-]+$/.test(given) || digits.length < 10 || digits.length > 15) {
    return given;
  }
  return `https://wa.me/${digits.length === 10 && !given.startsWith("+") ? "91" : ""}${digits}`;
}

export const whatsapp = string()
  .trim()
  .test("link", "Enter a telephone number, or a whole address that begins with https://.", (value) =>
    link.isValidSync(whatsappLink(value ?? "")),
  );

export const contact = string()
  .trim()
  .test(
    "email",
    "The contact must be an email address, like you@example.com.",
    (value) => !value || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value),
  );

export const pageSchema = object({
  slug: string()
    .trim()
    .matches(/^[a-z0-9-]{1,40}$/, "The address must be 1 to 40 small letters, digits or -, like about."),
  title: line("The title", maxPageTitle).test("least", "Please enter a title.", (value) => Boolean(value)),
  text: line("The text", maxPageText).test("least", "Please enter a text.", (value) => Boolean(value)),
});
