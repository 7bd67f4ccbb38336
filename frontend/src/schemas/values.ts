import { maxPrice } from "../lib/constants.json";

// Values of form fields, before their rules.

/** Returns NaN, which no rule accepts, for anything but a number. */
export function toNumber(value: unknown): number {
  if (typeof value === "number") {
    return value;
  }
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

/** Rupees without groups of digits, or in those of India or of thousands. */
const AMOUNT = /^(\d+|\d{1,3}(,\d{2,3})*,\d{3})(\.\d*)?$/;

/** Returns an amount without the currency, spaces and the dash that prices end with. */
function bare(value: string): string {
  return value
    .trim()
    .replace(/^(₹|rs\.?|inr)/i, "")
    .replace(/\/-$/, "")
    .replace(/\s/g, "");
}

/** Reads rupees as shops write them, like ₹1,299 or 1,05,000.50; NaN for what is no amount. */
export function toMoney(value: unknown): number {
  if (typeof value !== "string") {
    return toNumber(value);
  }
  const text = bare(value);
  return unclearMoney(value) === undefined ? toNumber(text.replaceAll(",", "")) : Number.NaN;
}

/** Returns what to do about an amount that can be read in two ways, like 1.299 and 1,29. */
export function unclearMoney(value: unknown): string | undefined {
  const text = typeof value === "string" ? bare(value) : "";
  const isUnclear = /^\d[\d.,]*$/.test(text) && (!AMOUNT.test(text) || /^\d{1,3}\.\d{3}$/.test(text));
  return isUnclear ? `“${text}” can mean two amounts: write it like 1,299 or 1299.50.` : undefined;
}

export function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

export function hasTwoDecimals(value: number): boolean {
  return Math.round(value * 100) / 100 === value;
}

/** Returns true for rupees that the server can store. */
export function isMoney(value: number): boolean {
  return value >= 0 && value <= maxPrice && hasTwoDecimals(value);
}

const TIME = /^\d{4}-(\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Returns milliseconds since 1970; NaN for an invalid time (RFC 3339), like a 30th of February. */
export function timeOf(value: unknown): number {
  const text = String(value);
  const day = TIME.exec(text)?.[1];
  // Parsers read the 30th of February as the 2nd of March.
  const there = new Date(`${text.slice(0, 10)}T00:00:00Z`).toJSON()?.slice(5, 10);
  return day !== undefined && day === there ? Date.parse(text) : Number.NaN;
}

/** Returns the message for a start or an end that is no time with a zone. */
export function zoneRule(what: string): string {
  return `The ${what} must be a time with its zone, like 2026-11-30T23:59:00+05:30.`;
}
