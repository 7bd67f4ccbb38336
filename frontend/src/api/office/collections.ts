import { useSWRConfig } from "swr";
import { useShowShop } from "../../shop/shop";
import { request } from "../client";
import { expireCatalogue } from "../products/changes";
import type { Collection, CollectionInput, Collections } from "../types";
import { useCall } from "../use-call";

const COLLECTIONS = "/collection";
const ALL = `${COLLECTIONS}?all=true`;

export function useCollectionList() {
  return useCall<Collections>(ALL, "The collections could not be loaded");
}

/** Changes of the collections; the open page shows them at once. */
export function useCollectionChanges() {
  const { mutate } = useSWRConfig();
  const show = useShowShop();
  const send = async (path: string, method: "POST" | "PUT" | "DELETE", failure: string, body?: object) => {
    await request<unknown>(`${COLLECTIONS}${path}`, failure, { method, ...(body && { body }) });
    expireCatalogue();
    const all = await mutate<Collections>(ALL);
    const running = (all?.data ?? []).filter(({ runs }) => runs);
    show({ collections: running.map(({ slug, name, onHome, inMenu }) => ({ slug, name, onHome, inMenu })) });
  };
  const pathOf = ({ slug }: Collection) => `/${encodeURIComponent(slug)}`;
  return {
    add: (collection: CollectionInput) => send("", "POST", "The collection was not added", collection),
    change: (collection: Collection, changes: CollectionInput) =>
      send(pathOf(collection), "PUT", "The collection was not changed", {
        ...changes,
        version: collection.version,
      }),
    remove: (collection: Collection) => send(pathOf(collection), "DELETE", "The collection was not deleted"),
  };
}
