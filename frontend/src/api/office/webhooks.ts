import { useSWRConfig } from "swr";
import { request } from "../client";
import type { Deliveries, SaveWebhook, Webhook, WebhookSecret, Webhooks } from "../types";
import { useCall } from "../use-call";

const WEBHOOKS = "/webhooks";

function pathOf({ id }: Webhook, rest = "") {
  return `${WEBHOOKS}/${encodeURIComponent(id)}${rest}`;
}

/** Returns the webhooks; what waits and what was sent changes by itself. */
export function useWebhooks() {
  return useCall<Webhooks>(WEBHOOKS, "The webhooks could not be loaded", { refreshInterval: 5_000 });
}

/** Returns the last deliveries of a webhook, or nothing while its log is closed. */
export function useDeliveries(webhook: Webhook, open: boolean) {
  const path = open ? pathOf(webhook, "/deliveries") : null;
  return useCall<Deliveries>(path, "The log could not be loaded", { refreshInterval: 2_000 });
}

export function useWebhookChanges() {
  const { mutate } = useSWRConfig();
  const call = async <T>(
    path: string,
    failure: string,
    method: "DELETE" | "POST" | "PUT",
    body?: SaveWebhook,
  ): Promise<T> => {
    const answer = await request<T>(path, failure, { method, body });
    await mutate((key) => typeof key === "string" && key.startsWith(WEBHOOKS));
    return answer;
  };
  return {
    /** Makes a webhook; only this answer has its secret. */
    add: (webhook: SaveWebhook) => call<WebhookSecret>(WEBHOOKS, "The webhook was not made", "POST", webhook),

    switchTo: (webhook: Webhook, on: boolean) =>
      call<Webhook>(pathOf(webhook), "The webhook was not changed", "PUT", {
        url: webhook.url,
        events: webhook.events,
        on,
      }),

    remove: (webhook: Webhook) => call<unknown>(pathOf(webhook), "The webhook was not removed", "DELETE"),

    test: (webhook: Webhook) => call<unknown>(pathOf(webhook, "/test"), "The test was not sent", "POST"),

    /** Makes a new secret, which only this answer has. */
    rotate: (webhook: Webhook) =>
      call<WebhookSecret>(pathOf(webhook, "/rotate"), "The secret was not renewed", "POST"),

    sendAgain: (webhook: Webhook, delivery: number) =>
      call<unknown>(pathOf(webhook, `/deliveries/${delivery}/again`), "It was not sent again", "POST"),
  };
}
