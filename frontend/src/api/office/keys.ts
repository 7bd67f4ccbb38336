import { useSWRConfig } from "swr";
import { request } from "../client";
import type { Key, KeyAdded, Keys, NewKey } from "../types";
import { useCall } from "../use-call";

const KEYS = "/keys";

export function useKeys() {
  return useCall<Keys>(KEYS, "The keys could not be loaded");
}

export function useKeyChanges() {
  const { mutate } = useSWRConfig();
  return {
    /** Makes a key; only this answer has its secret. */
    async add(key: NewKey): Promise<KeyAdded> {
      const added = await request<KeyAdded>(KEYS, "The key was not made", { method: "POST", body: key });
      await mutate(KEYS);
      return added;
    },

    async revoke({ id }: Key) {
      await request<unknown>(`${KEYS}/${encodeURIComponent(id)}`, "The key was not revoked", {
        method: "DELETE",
      });
      await mutate(KEYS);
    },
  };
}
