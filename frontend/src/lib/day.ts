// The shop's time zone, so that the server and every browser show the same day. Named parts: what a
// `dateStyle` means differs between browsers.
const DATE = new Intl.DateTimeFormat("en-IN", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "Asia/Kolkata",
});

/** Formats the day of a time (RFC 3339), like 1 March 2026. */
export function day(time: string): string {
  return DATE.format(new Date(time));
}

/** Formats the day of a time, like 1 Mar 2026. */
export function shortDate(time: string): string {
  const [date, month = "", year] = day(time).split(" ");
  return `${date} ${month.slice(0, 3)} ${year}`;
}
