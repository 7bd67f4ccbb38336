import type { SWRConfiguration } from "swr";
import { ApiError } from "../api/client";

/** Milliseconds within which the same request is sent once (spec section 9). */
const MERGED_WITHIN = 2_000;
/** Milliseconds after which a failed request is sent again (spec section 9). */
const RETRIED_AFTER = 5_000;

const retries = new Map<string, ReturnType<typeof setTimeout>>();

/** How server data is kept and refreshed. */
export const dataSettings: SWRConfiguration = {
  revalidateOnFocus: true,
  revalidateOnReconnect: true,
  dedupingInterval: MERGED_WITHIN,
  // SWR's own retry waits longer each time; the shop's is steady. What the
  // server has refused stays refused, so only its failures are tried again.
  onErrorRetry: (error, key, _config, revalidate, options) => {
    const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    // One timer for each request: asking by hand in between must not add another.
    clearTimeout(retries.get(key));
    retries.delete(key);
    if (!refused) {
      const timer = setTimeout(() => void revalidate(options), RETRIED_AFTER);
      retries.set(key, timer);
    }
  },
};
