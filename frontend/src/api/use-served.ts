import useSWR, { type SWRConfiguration } from "swr";
import { request } from "./client";
import { justServed } from "./served";

/**
 * What a call answers with, which is not asked for when the page has just brought it; nothing for
 * no call.
 */
export function useServed<T>(key: string | null, failure: string, options: SWRConfiguration<T> = {}) {
  return useSWR<T>(key, (path: string) => request<T>(path, failure), {
    revalidateIfStale: key === null || !justServed(key),
    ...options,
  });
}
