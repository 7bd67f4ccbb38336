import type { AlertBody, FollowedList, SubscriptionBody } from "../../generated/api";
import { pageFailed } from "../texts/en.json";
import { useCall } from "./use-call";

export type { AlertBody as PriceAlert, FollowedList };

/** Lists and alerts of an address, by the token of its link. */
export function useSubscription(token: string) {
  return useCall<SubscriptionBody>(`/subscriber/own/${token}`, pageFailed);
}
