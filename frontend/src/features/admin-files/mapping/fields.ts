/** A way to read a column's values, with its name. */
type Reading = readonly [value: string, name: string];

export interface MappedField {
  name: string;
  label: string;
  /** The usual way to read it is the first. */
  readings: readonly [Reading, ...Reading[]];
  /** Every product needs it. */
  needed?: true;
}

const TEXT: Reading = ["text", "Text without spaces around it"];
const HTML: Reading = ["html", "The text of HTML"];
const NUMBER: Reading = ["number", "A number, like ₹1,29,900.00"];
const PLAIN: Reading = ["plain", "A number without thousands"];
const DATE: Reading = ["date", "A date"];
const UNTIL: Reading = ["until", "The end of start/end"];
const LIST: Reading = ["list", "Addresses"];
const JSON_VALUES: Reading = ["json", "JSON"];

/** Fields of a product in the order of its form. */
export const FIELDS: readonly MappedField[] = [
  { name: "title", label: "Title", readings: [TEXT, HTML], needed: true },
  { name: "description", label: "Description", readings: [HTML, TEXT], needed: true },
  { name: "price", label: "List price", readings: [NUMBER, PLAIN], needed: true },
  { name: "finalPrice", label: "Final price", readings: [NUMBER, PLAIN] },
  { name: "discount", label: "Discount in %", readings: [NUMBER, PLAIN] },
  { name: "category", label: "Category", readings: [TEXT, HTML], needed: true },
  { name: "source", label: "Seller", readings: [TEXT, HTML], needed: true },
  { name: "affiliateLink", label: "Link", readings: [TEXT, HTML], needed: true },
  { name: "images", label: "Pictures", readings: [LIST, JSON_VALUES], needed: true },
  { name: "externalId", label: "Seller’s product id", readings: [TEXT, HTML] },
  { name: "averageRating", label: "Stars", readings: [PLAIN, NUMBER] },
  { name: "totalRatings", label: "Number of ratings", readings: [NUMBER, PLAIN] },
  { name: "startsAt", label: "Starts", readings: [DATE, UNTIL] },
  { name: "endsAt", label: "Ends", readings: [DATE, UNTIL] },
  { name: "status", label: "Status", readings: [TEXT, HTML] },
  { name: "offers", label: "Offers", readings: [JSON_VALUES] },
];

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
  const known = FIELDS.find(({ name }) => name === field);
  const word = /^[a-z]+/.exec(field)?.[0].replace(/s$/, "s?");
  // Values of the file stand in quotes.
  const isNamed = new RegExp(`\\b${word}\\b`, "i").test(sent.replace(/“[^”]*”/g, ""));
  return known && !isNamed ? `${known.label}: ${message}` : message;
}
