import { day, shortDate } from "./day";

const WEEKDAY = new Intl.DateTimeFormat("en-IN", { weekday: "long", timeZone: "Asia/Kolkata" });
const SHORT = new Intl.DateTimeFormat("en-IN", { day: "numeric", month: "short", timeZone: "UTC" });
const RELATIVE = new Intl.RelativeTimeFormat("en-IN", { numeric: "auto" });
const DAY = 24 * 3_600_000;

/** Formats a day with its weekday, like Sunday, 22 November. */
export function weekday(time: string): string {
  return `${WEEKDAY.format(new Date(time))}, ${day(time).replace(/ \d+$/, "")}`;
}

/** Formats a time, like 22 Nov 2026, 14:10. */
export function moment(time: string): string {
  return `${shortDate(time)}, ${hour(time)}`;
}

/** Formats a time like 14:10 if it is today in India, otherwise like 3 Dec 14:10. */
export function soon(time: string, now = Date.now()): string {
  const today = new Date(now + OFFSET).toISOString().slice(0, 10);
  return toField(time).startsWith(today) ? hour(time) : shortMoment(time);
}

/** Formats the time of day in India, like 14:10. */
function hour(time: string): string {
  return toField(time).slice(11);
}

/** Formats a day like 2026-11-08 as 8 Nov, with the year if it is not the current one. */
export function shortDay(day: string): string {
  // September with three letters, as on the shop's pages.
  const short = SHORT.format(new Date(`${day}T00:00:00Z`)).replace("Sept", "Sep");
  return day.startsWith(String(new Date().getFullYear())) ? short : `${short} ${day.slice(0, 4)}`;
}

/** Formats the age of a time in words up to a month, then as a day. */
export function ago(time: string, now = Date.now()): string {
  const age = now - new Date(time).getTime();
  if (age < 3_600_000) {
    return RELATIVE.format(-Math.floor(age / 60_000), "minute");
  }
  if (age < DAY) {
    return RELATIVE.format(-Math.floor(age / 3_600_000), "hour");
  }
  return age < 30 * DAY ? RELATIVE.format(-Math.floor(age / DAY), "day") : shortDate(time);
}

/** Formats a day like 2026-11-16 by its distance from today in India, like 12 days ago. */
export function daysAgo(day: string, now = Date.now()): { days: number; text: string } {
  const today = new Date(now + OFFSET).toISOString().slice(0, 10);
  const days = Math.round((Date.parse(today) - Date.parse(day)) / DAY);
  return { days, text: RELATIVE.format(-days, "day") };
}

const OFFSET = 5.5 * 3_600_000;

/** Converts a time (RFC 3339) to the value of a `datetime-local` field in India's time; empty for none. */
export function toField(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? "" : new Date(at + OFFSET).toISOString().slice(0, 16);
}

/** Converts the value of such a field to RFC 3339. */
export function fromField(field: string): string {
  return field === "" ? "" : `${field}:00+05:30`;
}

/** Returns the hint of a field for a time: an empty one shows the present time in WebKit. */
export function unsetHint(time: string, unset: string): string {
  return time === "" ? `No date: ${unset}` : `Without a date: ${unset}`;
}

/** Returns the end of a day in India, some days from today, as RFC 3339. */
export function endOfDay(days: number, now = Date.now()): string {
  const day = new Date(now + OFFSET + days * DAY).toISOString().slice(0, 10);
  return fromField(`${day}T23:59`);
}

/** Formats a time like 3 Dec 16:55, with the year if it is not the current one. */
export function shortMoment(time: string): string {
  return `${shortDay(toField(time).slice(0, 10))} ${hour(time)}`;
}
