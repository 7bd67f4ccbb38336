import { PRODUCT_FIELDS } from "../../../shop/product-fields";

/** A way to read a column's values, with its name. */
type Reading = readonly [value: string, name: string];

export interface MappedField {
  name: string;
  label: string;
  /** The usual way to read it is the first. */
  readings: readonly [Reading, ...Reading[]];
  /** Every product needs it. */
  needed: boolean;
}

const TEXT: Reading = ["text", "Text without spaces around it"];
const HTML: Reading = ["html", "The text of HTML"];
const NUMBER: Reading = ["number", "A number, like ₹1,29,900.00"];
const PLAIN: Reading = ["plain", "A number without thousands"];
const DATE: Reading = ["date", "A date"];
const UNTIL: Reading = ["until", "The end of start/end"];
const LIST: Reading = ["list", "Addresses"];
const JSON_VALUES: Reading = ["json", "JSON"];

/** Ways to read each kind of field. */
const READINGS: Record<string, MappedField["readings"]> = {
  longText: [HTML, TEXT],
  number: [NUMBER, PLAIN],
  decimal: [PLAIN, NUMBER],
  pictures: [LIST, JSON_VALUES],
  time: [DATE, UNTIL],
  offers: [JSON_VALUES],
  tags: [["list", "Tags"], JSON_VALUES],
};

/** Fields of a product in the order of its form. */
export const FIELDS: readonly MappedField[] = Object.entries(PRODUCT_FIELDS).map(
  ([name, { label, kind, presence }]) => ({
    name,
    label,
    readings: READINGS[kind] ?? [TEXT, HTML],
    needed: presence === "required",
  }),
);

/** True if a value is read as a date, which has an order of day and month. */
export function isDate(reading: string): boolean {
  return reading === DATE[0] || reading === UNTIL[0];
}

/** Returns a message without options of the command line. */
export function withoutOptions(message: string): string {
  return message
    .replace(/: give --[a-z]+\.$/, ".")
    .replace(/: say which with --dates .*$/, ": choose the order under “More”.");
}

/**
 * Returns a problem as the screen says it: with its field's label, unless the message itself names the field,
 * and without an option of the command line.
 */
export function problemText(field: string, sent: string): string {
  const message = withoutOptions(sent);
  const known = PRODUCT_FIELDS[field];
  const word = /^[a-z]+/.exec(field)?.[0].replace(/s$/, "s?");
  // Values of the file stand in quotes.
  const isNamed = new RegExp(`\\b${word}\\b`, "i").test(sent.replace(/“[^”]*”/g, ""));
  return known && !isNamed ? `${known.label}: ${message}` : message;
}
