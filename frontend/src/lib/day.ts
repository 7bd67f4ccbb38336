// Mirrored by src/http/pages/format.rs

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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats the age of a time up to a week, like 2 h ago, then its day. */
export function added(time: string, now = Date.now()): string {
  const age = now - Date.parse(time);
  if (age < HOUR) {
    return `${Math.max(1, Math.floor(age / MINUTE))} min ago`;
  }
  if (age < DAY) {
    return `${Math.floor(age / HOUR)} h ago`;
  }
  const days = Math.floor(age / DAY);
  return days < 7 ? `${days} ${days === 1 ? "day" : "days"} ago` : shortDate(time);
}
