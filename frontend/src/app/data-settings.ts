import type { SWRConfiguration } from "swr";
import { ApiError } from "../api/client";

/** Milliseconds within which the same request is sent once (spec section 9). */
const MERGED_WITHIN = 2_000;
/** Milliseconds after which a failed request is sent again (spec section 9). */
const RETRIED_AFTER = 5_000;

const retries = new Map<string, ReturnType<typeof setTimeout>>();

/** SWR's settings: caching and refetching of server data. */
export const dataSettings: SWRConfiguration = {
  revalidateOnFocus: true,
  revalidateOnReconnect: true,
  dedupingInterval: MERGED_WITHIN,
  // SWR's own retry backs off; the spec's interval is constant. Refusals (4xx) are
  // not retried.
  onErrorRetry: (error, key, _config, revalidate, options) => {
    const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    // One timer for each request: a manual retry must not add another.
    clearTimeout(retries.get(key));
    retries.delete(key);
    if (!refused) {
      const timer = setTimeout(() => void revalidate(options), RETRIED_AFTER);
      retries.set(key, timer);
    }
  },
};
