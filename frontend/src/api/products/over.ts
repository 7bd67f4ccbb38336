import { reportFailed } from "../../texts/en.json";
import { request } from "../client";

/** Reports that a deal is over; returns false if this visitor's report counts already. */
export async function reportOver(id: string): Promise<boolean> {
  const path = `/product/report-over/${encodeURIComponent(id)}`;
  const { noted } = await request<{ noted: boolean }>(path, reportFailed, { method: "POST" });
  return noted;
}
