import type { SWRConfiguration } from "swr";
import { ApiError } from "../api/client";

/** Milliseconds within which the same request is sent once (spec section 9). */
const MERGED_WITHIN = 2_000;
/** Milliseconds after which a failed request is sent again (spec section 9). */
const RETRIED_AFTER = 5_000;

/** How server data is kept and refreshed. */
export const dataSettings: SWRConfiguration = {
  revalidateOnFocus: true,
  revalidateOnReconnect: true,
  dedupingInterval: MERGED_WITHIN,
  // SWR's own retry waits longer each time; the shop's is steady. What the
  // server has refused stays refused, so only its failures are tried again.
  onErrorRetry: (error, _key, _config, revalidate, options) => {
    const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (!refused) {
      setTimeout(() => void revalidate(options), RETRIED_AFTER);
    }
  },
};
