import { useSWRConfig } from "swr";
import { clickCall, clickNote } from "../../lib/click-call";
import { clickFailed } from "../../texts/en.json";
import { request } from "../client";
import { clearPrefetched } from "../prefetch";
import type { Card, Product } from "../types";
import type { ProductPage } from "./list";
import { detailsPath, LIST } from "./query";

/**
 * Counts a click on a product's affiliate link and shows the new count wherever the product is on
 * screen. `sent` is the request of a click that has been sent already.
 *
 * @throws {ApiError} when the click was not counted
 */
export function useRecordClick(): (id: string, sent?: Promise<number>) => Promise<number> {
  const { mutate } = useSWRConfig();
  return async (id, sent = sendClick(id)) => {
    const clicks = await sent;
    clearPrefetched();
    const counted = <T extends Card | Product>(of: T) => (of._id === id ? { ...of, clicks } : of);
    await Promise.all([
      mutate<Product>(detailsPath(id), (product) => product && counted(product), { revalidate: false }),
      mutate<ProductPage<Card | Product>>(
        (key) => typeof key === "string" && key.startsWith(LIST),
        (page) => page && { ...page, data: page.data.map(counted) },
        { revalidate: false },
      ),
    ]);
    return clicks;
  };
}

async function sendClick(id: string): Promise<number> {
  // `keepalive`: leaving the page must not cancel the count.
  const { clicks } = await request<{ clicks: number }>(clickCall(id), clickFailed, {
    method: "POST",
    body: clickNote,
    keepalive: true,
  });
  return clicks;
}
