// Mirrored by src/http/pages/format.rs

// The shop's time zone, so that the server and every browser show the same day.
const DATE = new Intl.DateTimeFormat("en-IN", { dateStyle: "long", timeZone: "Asia/Kolkata" });

/** Formats the day of a time (RFC 3339), like 1 March 2026. */
export function day(time: string): string {
  return DATE.format(new Date(time));
}
