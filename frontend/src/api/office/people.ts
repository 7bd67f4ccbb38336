import { useSWRConfig } from "swr";
import { request } from "../client";
import type { Invited, Message, NewInvitation, People, Person, Role } from "../types";
import { useCall } from "../use-call";

const PEOPLE = "/people";

export function usePeople(search: string, page: number) {
  const query = new URLSearchParams({ search, page: String(page) });
  return useCall<People>(`${PEOPLE}?${query}`, "The people could not be loaded");
}

export function usePeopleChanges() {
  const { mutate } = useSWRConfig();
  const reload = () => mutate((key) => typeof key === "string" && key.startsWith(`${PEOPLE}?`));
  const path = ({ _id }: Person) => `${PEOPLE}/${encodeURIComponent(_id)}`;
  return {
    /** Invites somebody; only this answer has the link. */
    async invite(body: NewInvitation): Promise<Invited> {
      const invited = await request<Invited>(`${PEOPLE}/invite`, "Nobody was invited", {
        method: "POST",
        body,
      });
      await reload();
      return invited;
    },

    async change(person: Person, body: { role?: Role; signOut?: true; unlock?: true }) {
      await request<Message>(path(person), "The account was not changed", { method: "PUT", body });
      await reload();
    },

    async remove(person: Person) {
      await request<Message>(path(person), "Nobody was removed", { method: "DELETE" });
      await reload();
    },
  };
}
