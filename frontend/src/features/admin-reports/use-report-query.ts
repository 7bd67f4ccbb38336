import { useSearchParams } from "react-router-dom";
import type { ReportQuery } from "../../api/office/reports";
import type { Report } from "../../api/types";
import { count } from "../../lib/rupees";

export const RANGES = [
  { value: "1d", label: "Today" },
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
  { value: "90d", label: "90 days" },
  { value: "365d", label: "12 months" },
  { value: "own", label: "From … to …" },
];
export const WAYS = [
  { value: "product", label: "Deals" },
  { value: "source", label: "Sellers" },
  { value: "category", label: "Categories" },
  { value: "channel", label: "Where visitors came from" },
  { value: "place", label: "Where they clicked" },
  { value: "verdict", label: "Counted or not" },
  { value: "day", label: "Days only" },
];

const DAY = 24 * 3_600_000;

/** Returns the report's query in the address, and a function to change it. */
export interface ReportState {
  query: ReportQuery;
  /** One of `RANGES`. */
  range: string;
  change: (values: Partial<Record<"from" | "to" | "by" | "product" | "source", string>>) => void;
}

export function useReportQuery(): ReportState {
  const [parameters, setParameters] = useSearchParams();
  const from = parameters.get("from") ?? "30d";
  const by = parameters.get("by") ?? "product";
  const named = (name: "to" | "product" | "source") => {
    const value = parameters.get(name);
    return value ? { [name]: value } : {};
  };
  const query: ReportQuery = {
    by: WAYS.some(({ value }) => value === by) ? by : "product",
    from: from || "30d",
    ...named("to"),
    ...named("product"),
    ...named("source"),
  };
  return {
    query,
    range: RANGES.some(({ value }) => value === query.from) ? query.from : "own",
    change: (values) => {
      const next = new URLSearchParams(parameters);
      for (const [name, value] of Object.entries(values)) {
        if (value === "") {
          next.delete(name);
        } else {
          next.set(name, value);
        }
      }
      setParameters(next);
    },
  };
}

/** Clicks below which a share of them says nothing. */
const FEW = 50;
/** Percent above which the former number says more. */
const MANY = 200;

/** Compares clicks with those of as many days before, in a few words. */
export function comparison(now: number, before: number, days: number, goesOn: boolean): string {
  const then = days === 1 ? "the day before" : `the ${days} days before`;
  const rest = goesOn ? ", without today" : "";
  if (before === now) {
    return `Same as ${then}${rest}`;
  }
  if (before === 0) {
    return `No clicks in ${then}`;
  }
  const way = now > before ? "Up" : "Down";
  const change = Math.abs(Math.round((now / before - 1) * 100));
  // A large part of few clicks says nothing, and of many percent nobody thinks.
  return before < FEW || change > MANY
    ? `${way} from ${count(before)} in ${then}${rest}`
    : `${way} ${change}% on ${then}${rest}`;
}

/**
 * Returns the completed days of a report, and as many before it: the current day is not
 * compared. Nothing without a completed day.
 */
export function compared({ from, to }: Report, goesOn: boolean) {
  const [first, last] = [Date.parse(from), Date.parse(to) - (goesOn ? DAY : 0)];
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const days = (last - first) / DAY + 1;
  return days < 1
    ? null
    : {
        days,
        now: { from: day(first), to: day(last) },
        before: { from: day(first - days * DAY), to: day(first - DAY) },
      };
}
