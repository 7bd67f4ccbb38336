import type { SubscriptionBody } from "../../generated/api";
import { pageFailed } from "../texts/en.json";
import { useCall } from "./use-call";

/** Lists and alerts of an address, by the token of its link. */
export function useSubscription(token: string) {
  return useCall<SubscriptionBody>(`/subscriber/own/${token}`, pageFailed);
}
