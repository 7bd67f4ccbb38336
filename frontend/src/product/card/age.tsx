// Mirrored by src/http/pages/product.rs

import { useSyncExternalStore } from "react";
import { added, shortDate } from "../../lib/day";

/** When a deal was added: a day on the server's page, which may be stored, and an age in the browser. */
export function Age({ of: time }: { of: string }) {
  const words = useSyncExternalStore(
    () => () => undefined,
    () => added(time),
    () => shortDate(time),
  );
  return ` · Added ${words}`;
}
