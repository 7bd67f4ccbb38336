import { request } from "./client";
import type { Message, OpenSession, OpenSessions } from "./types";
import { useCall } from "./use-call";

const SESSIONS = "/user/sessions";

export function useOpenSessions() {
  const { data, mutate } = useCall<OpenSessions>(SESSIONS, "The sessions could not be loaded");
  return {
    data,
    async end({ id }: OpenSession) {
      await request<Message>(`${SESSIONS}/${encodeURIComponent(id)}`, "The session was not ended", {
        method: "DELETE",
      });
      await mutate();
    },
  };
}

/** Deletes the signed-in account. */
export function deleteAccount(password: string): Promise<Message> {
  return request<Message>("/user/me", "The account was not deleted. Please try again.", {
    method: "DELETE",
    body: { password },
  });
}
