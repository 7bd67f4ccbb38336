// What fields hold, before their rules.

/** What is no number is NaN, which no rule accepts. */
export function toNumber(value: unknown): number {
  if (typeof value === "number") {
    return value;
  }
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

/** Whether nothing was sent, or typed. */
export function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Whether a number has at most two decimals. */
export function hasTwoDecimals(value: number): boolean {
  return Math.round(value * 100) / 100 === value;
}

/** The highest price in rupees. */
export const AT_MOST = 1_000_000_000;

/** Whether a number of rupees can be stored. */
export function isMoney(value: number): boolean {
  return value >= 0 && value <= AT_MOST && hasTwoDecimals(value);
}

const TIME = /^\d{4}-(\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970; NaN for what is no time (RFC 3339), like a 30th of February. */
export function timeOf(value: unknown): number {
  const text = String(value);
  const day = TIME.exec(text)?.[1];
  // Parsers take the 30th of February for the 2nd of March.
  const there = new Date(`${text.slice(0, 10)}T00:00:00Z`).toJSON()?.slice(5, 10);
  return day !== undefined && day === there ? Date.parse(text) : Number.NaN;
}

/** What is said of what is no time with its zone, a start or an end. */
export function zoneRule(what: string): string {
  return `The ${what} must be a time with its zone, like 2026-11-30T23:59:00+05:30.`;
}
