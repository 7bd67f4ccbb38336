import type { Removed } from "../../api/types";
import { useCall } from "../../api/use-call";
import { detailsFailed } from "../../texts/en.json";

/** Returns the deleted product of an id, null or an error if there is none; no id asks for nothing. */
export function useRemoved(id: string | undefined) {
  const path = id === undefined ? null : `/product/removed/${encodeURIComponent(id)}`;
  return useCall<Removed | null>(path, detailsFailed);
}
