import useSWR, { type SWRConfiguration } from "swr";
import { request } from "./client";
import { isFresh } from "./page-data";

/**
 * Returns the answer of a GET call, or nothing for no path. Data that has just come with the page is
 * not requested again. `failure` is the message of an error without one.
 */
export function useCall<T>(path: string | null, failure: string, options: SWRConfiguration<T> = {}) {
  return useSWR<T>(path, (path: string) => request<T>(path, failure), {
    revalidateIfStale: path === null || !isFresh(path),
    ...options,
  });
}
