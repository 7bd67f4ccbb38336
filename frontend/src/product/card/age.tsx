import { useSyncExternalStore } from "react";
import { shortDate } from "../../lib/day";
import { addedWhen, daysAgo, hoursAgo, minutesAgo } from "../../texts/en.json";
import { around, fill } from "../../texts/fill";
import { plural } from "../../texts/plural";

/** How long ago a deal was added, in the first week; the server's page, which may be stored, leaves it out. */
export function Age({ of: time }: { of: string }) {
  const words = useSyncExternalStore(
    () => () => undefined,
    () => (Date.now() - Date.parse(time) < WEEK ? added(time) : ""),
    () => "",
  );
  const [before] = around(addedWhen);
  return (
    words !== "" && (
      <span>
        {"\u00a0· "}
        <span className="sr-only">{before}</span>
        {words}
      </span>
    )
  );
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Formats the age of a time up to a week, like 2 h ago, then its day. */
export function added(time: string, now = Date.now()): string {
  const age = now - Date.parse(time);
  if (age < HOUR) {
    return fill(minutesAgo, { count: Math.max(1, Math.floor(age / MINUTE)) });
  }
  if (age < DAY) {
    return fill(hoursAgo, { count: Math.floor(age / HOUR) });
  }
  return age < WEEK ? plural(daysAgo, Math.floor(age / DAY)) : shortDate(time);
}
