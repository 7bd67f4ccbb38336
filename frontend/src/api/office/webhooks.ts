import { useSWRConfig } from "swr";
import { request } from "../client";
import type { SaveWebhook, Webhook, WebhookSecret, Webhooks } from "../types";
import { useCall } from "../use-call";

const WEBHOOKS = "/webhooks";

function pathOf({ id }: Webhook, rest = "") {
  return `${WEBHOOKS}/${encodeURIComponent(id)}${rest}`;
}

/** Returns the webhooks; what waits, arrived and failed changes by itself. */
export function useWebhooks() {
  return useCall<Webhooks>(WEBHOOKS, "The webhooks could not be loaded", { refreshInterval: 2_000 });
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
    await mutate(WEBHOOKS);
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
  };
}
