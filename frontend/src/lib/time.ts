const INDIA = { timeZone: "Asia/Kolkata" } as const;
const WHOLE = new Intl.DateTimeFormat("en-IN", {
  dateStyle: "full",
  timeStyle: "short",
  hour12: false,
  ...INDIA,
});
const TIME = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeStyle: "short", ...INDIA });
const SHORT = new Intl.DateTimeFormat("en-IN", { day: "numeric", month: "short", timeZone: "UTC" });
const RELATIVE = new Intl.RelativeTimeFormat("en-IN", { numeric: "auto" });
const DAY = 24 * 3_600_000;

/** A time with its weekday, like Sunday, 22 November 2026 at 14:10. */
export function whole(time: string): string {
  return WHOLE.format(new Date(time));
}

/** A time, like 22 Nov 2026, 2:10 pm. */
export function moment(time: string): string {
  return TIME.format(new Date(time));
}

/** A day like 2026-11-08 as 8 Nov, with its year where that is not this one. */
export function shortDay(day: string): string {
  const short = SHORT.format(new Date(`${day}T00:00:00Z`));
  return day.startsWith(String(new Date().getFullYear())) ? short : `${short} ${day.slice(0, 4)}`;
}

/** How long ago a time is, in words up to a month, and then as a day. */
export function ago(time: string, now = Date.now()): string {
  const age = now - new Date(time).getTime();
  if (age < 3_600_000) {
    return RELATIVE.format(-Math.floor(age / 60_000), "minute");
  }
  if (age < DAY) {
    return RELATIVE.format(-Math.floor(age / 3_600_000), "hour");
  }
  return age < 30 * DAY
    ? RELATIVE.format(-Math.floor(age / DAY), "day")
    : `${SHORT.format(new Date(time))} ${new Date(time).getFullYear()}`;
}

const OFFSET = 5.5 * 3_600_000;

/** A time (RFC 3339) as a field for a date and a time shows it, by the clock of India; empty for none. */
export function toField(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? "" : new Date(at + OFFSET).toISOString().slice(0, 16);
}

/** What such a field holds, as RFC 3339. */
export function fromField(field: string): string {
  return field === "" ? "" : `${field}:00+05:30`;
}

/** The end of a day in India, some days from today, as RFC 3339. */
export function endOfDay(days: number, now = Date.now()): string {
  const day = new Date(now + OFFSET + days * DAY).toISOString().slice(0, 10);
  return fromField(`${day}T23:59`);
}
