import { useSWRConfig } from "swr";
import { request } from "../client";
import type { Queue, QueueChange, QueuedAnswers } from "../types";
import { useCall } from "../use-call";

const QUEUE = "/queue";

/** Returns the queue of drafts, which gets shorter by itself. */
export function useQueue() {
  return useCall<Queue>(QUEUE, "The queue could not be loaded", { refreshInterval: 5_000 });
}

export function useQueueChanges() {
  const { mutate } = useSWRConfig();
  return {
    /** Changes the queue, which is shown as `expected` until the answer has arrived. */
    change: (changes: QueueChange, expected?: Queue) => {
      const answer = request<Queue>(QUEUE, "The queue was not changed", { method: "PUT", body: changes });
      return mutate<Queue>(QUEUE, answer, {
        revalidate: false,
        ...(expected && { optimisticData: expected }),
      });
    },

    /** Puts drafts at the end of the queue; returns what became of each. */
    add: async (ids: readonly string[]) => {
      const { data } = await request<QueuedAnswers>(QUEUE, "Nothing was put in the queue", {
        method: "POST",
        body: { ids },
      });
      await mutate(QUEUE);
      return data;
    },

    remove: async (id: string) => {
      const path = `${QUEUE}/${encodeURIComponent(id)}`;
      await request<unknown>(path, "It was not taken out of the queue", { method: "DELETE" });
      await mutate(QUEUE);
    },
  };
}
