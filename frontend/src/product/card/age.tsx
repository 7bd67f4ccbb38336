import { useSyncExternalStore } from "react";
import { shortDate } from "../../lib/day";
import { addedWhen, daysAgo, hoursAgo, minutesAgo } from "../../texts/en.json";
import { around, fill } from "../../texts/fill";
import { plural } from "../../texts/plural";

/** When a deal was added: a day on the server's page, which may be stored, and an age in the browser. */
export function Age({ of: time }: { of: string }) {
  const words = useSyncExternalStore(
    () => () => undefined,
    () => added(time),
    () => shortDate(time),
  );
  const [before] = around(addedWhen);
  return (
    <span>
      {"\u00a0· "}
      <span className="sr-only">{before}</span>
      {words}
    </span>
  );
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats the age of a time up to 100 days, like 2 h ago, then its day. */
export function added(time: string, now = Date.now()): string {
  const age = now - Date.parse(time);
  if (age < HOUR) {
    return fill(minutesAgo, { count: Math.max(1, Math.floor(age / MINUTE)) });
  }
  if (age < DAY) {
    return fill(hoursAgo, { count: Math.floor(age / HOUR) });
  }
  const days = Math.floor(age / DAY);
  return days < 100 ? plural(daysAgo, days) : shortDate(time);
}
