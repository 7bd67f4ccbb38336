import useSWR, { useSWRConfig } from "swr";
import { request } from "../client";
import { expireCatalogue } from "../products/changes";
import type { LinkDuplicates, ReadLink, TagChange } from "../types";
import { useCall } from "../use-call";

const FAILURE = "The link could not be read";

function ask(path: string, link: string, source: string): Promise<ReadLink> {
  return request<ReadLink>(path, FAILURE, { method: "POST", body: { link, source } });
}

/** Returns a link as the shop would store it; nothing for no link. */
export function useReadLink(link: string | null, source: string) {
  const key = link === null ? null : (["/product/link", link, source] as const);
  return useSWR<ReadLink>(key, () => ask("/product/link", link ?? "", source), { keepPreviousData: false });
}

/** Returns the products that are the same by their links, in groups. */
export function useLinkDuplicates() {
  return useCall<LinkDuplicates>("/product/link-duplicates", "Failed to load products");
}

/** Asks a shop's shortener where a link leads. */
export function resolveLink(link: string, source: string): Promise<ReadLink> {
  return ask("/product/resolve-link", link, source);
}

/** Sets the tag of a seller, and rewrites its links. */
export function useTagChanges() {
  const { mutate } = useSWRConfig();
  const path = (source: string) => `/source/${encodeURIComponent(source)}/tag`;
  const refresh = () => {
    expireCatalogue();
    return mutate((key) => typeof key === "string" && /^\/(product|report|settings)\//.test(key));
  };
  return {
    preview(source: string, tag: string): Promise<TagChange> {
      const failure = "The links could not be counted";
      return request(`${path(source)}?preview=true`, failure, { method: "POST", body: { tag } });
    },

    async change(source: string, tag: string): Promise<TagChange> {
      const failure = "The tag could not be saved";
      const done = await request<TagChange>(path(source), failure, { method: "POST", body: { tag } });
      await refresh();
      return done;
    },

    async undo(id: string): Promise<void> {
      await request<unknown>(`/product/undo/${id}`, "The change could not be undone", { method: "POST" });
      await refresh();
    },
  };
}
