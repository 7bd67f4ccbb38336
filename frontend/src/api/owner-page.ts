import useSWR from "swr";
import { request } from "./client";
import { justServed } from "./served";

/** A page of the owner, or a text to begin one with. */
export interface OwnerPage {
  slug: string;
  title: string;
  /** Markdown. */
  text: string;
  html: string;
}

export function useOwnerPage(slug: string) {
  const key = `/settings/pages/${encodeURIComponent(slug)}`;
  return useSWR<OwnerPage>(key, fetchPage, { revalidateIfStale: !justServed(key) });
}

export function fetchPage(path: string): Promise<OwnerPage> {
  return request<OwnerPage>(path, "The page could not be loaded");
}
