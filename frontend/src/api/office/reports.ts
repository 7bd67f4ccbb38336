import type { LeftOutPage, Report } from "../types";
import { useCall } from "../use-call";

/** Parameters of a report; days like `2026-11-22` or `30d`. */
export interface ReportQuery {
  by: string;
  from: string;
  to?: string;
  product?: string;
  source?: string;
}

/** Returns the address of a report, also as a CSV file. */
export function reportPath(query: ReportQuery, format?: "csv"): string {
  const parameters = Object.entries({ ...query, format }).filter(([, value]) => value !== undefined);
  return `/report/clicks?${new URLSearchParams(parameters as [string, string][])}`;
}

export function useReport(query: ReportQuery | null) {
  return useCall<Report>(query && reportPath(query), "Failed to load the report", { keepPreviousData: true });
}

export function useLeftOut(page: number) {
  return useCall<LeftOutPage>(`/report/left-out?page=${page}`, "Failed to load the clicks", {
    keepPreviousData: true,
  });
}
