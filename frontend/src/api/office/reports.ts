import useSWR from "swr";
import { request } from "../client";

/** Clicks that somebody meant, and the others. */
interface Sums {
  counted: number;
  leftOut: number;
}

export interface ReportRow extends Sums {
  key: string;
  label: string;
  /** Looks at a product's own page, and how many in a hundred led to the seller. */
  views?: number;
  rate?: number;
}

export interface Report {
  /** Days in India. */
  from: string;
  to: string;
  by: string;
  rows: ReportRow[];
  totals: Sums & { clicks: number };
}

/** What a report is asked for: days like `2026-11-22` or `30d`, and what narrows it down. */
export interface ReportQuery {
  by: string;
  from: string;
  to?: string;
  product?: string;
  source?: string;
}

/** A click that was left out, and why. */
export interface LeftOut {
  at: string;
  /** The product's `_id`. */
  product: string;
  title: string;
  verdict: string;
  reason: string;
  /** What the program calls itself. */
  agent: string;
}

interface LeftOutPage {
  data: LeftOut[];
  meta: { currentPage: number; totalPages: number; total: number };
}

/** The address of a report, also as a table. */
export function reportPath(query: ReportQuery, format?: "csv"): string {
  const parameters = Object.entries({ ...query, format }).filter(([, value]) => value !== undefined);
  return `/report/clicks?${new URLSearchParams(parameters as [string, string][])}`;
}

/** A report; none is asked for without a query. */
export function useReport(query: ReportQuery | null) {
  return useSWR<Report>(
    query && reportPath(query),
    (path: string) => request<Report>(path, "Failed to load the report"),
    {
      keepPreviousData: true,
    },
  );
}

export function useLeftOut(page: number) {
  return useSWR<LeftOutPage>(
    `/report/left-out?page=${page}`,
    (path: string) => request<LeftOutPage>(path, "Failed to load the clicks"),
    { keepPreviousData: true },
  );
}
