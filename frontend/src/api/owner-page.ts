import { pageFailed } from "../texts/en.json";
import type { OwnerPage } from "./types";
import { useCall } from "./use-call";

export function useOwnerPage(slug: string) {
  return useCall<OwnerPage>(`/settings/pages/${encodeURIComponent(slug)}`, pageFailed);
}
