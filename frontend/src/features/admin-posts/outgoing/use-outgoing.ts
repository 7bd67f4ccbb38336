import { useSWRConfig } from "swr";
import { request } from "../../../api/client";
import type { Job, Jobs } from "../../../api/types";
import { useCall } from "../../../api/use-call";

const OUTGOING = "/outgoing";

/** Returns a page of what waits to go out, which changes by itself. */
export function useOutgoing(failed: boolean, page: number) {
  const query = new URLSearchParams({ failed: String(failed), page: String(page) });
  return useCall<Jobs>(`${OUTGOING}?${query}`, "The list could not be loaded", { refreshInterval: 5_000 });
}

export function useOutgoingChanges() {
  const { mutate } = useSWRConfig();
  const call = async (path: string, failure: string, method: "DELETE" | "POST") => {
    await request(path, failure, { method });
    await mutate((key) => typeof key === "string" && key.startsWith(`${OUTGOING}?`));
  };
  return {
    retry: ({ id }: Job) => call(`${OUTGOING}/${id}/retry`, "It was not tried again", "POST"),
    drop: ({ id }: Job) => call(`${OUTGOING}/${id}`, "It was not dropped", "DELETE"),
  };
}
