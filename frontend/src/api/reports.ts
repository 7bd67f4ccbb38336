import useSWR from "swr";
import { request } from "./client";

/** Clicks that somebody meant, and the others. */
interface Sums {
  counted: number;
  leftOut: number;
}

export interface ReportRow extends Sums {
  key: string;
  label: string;
}

export interface Report {
  /** Days in India. */
  from: string;
  to: string;
  by: string;
  rows: ReportRow[];
  totals: Sums & { clicks: number };
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
export function reportPath(by: string, from: string, format?: "csv"): string {
  return `/report/clicks?${new URLSearchParams({ by, from, ...(format ? { format } : {}) })}`;
}

export function useReport(by: string, from: string) {
  return useSWR<Report>(
    reportPath(by, from),
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
