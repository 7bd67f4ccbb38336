import useSWR from "swr";
import { listFailed } from "../../texts/en.json";
import { request } from "../client";
import { isFresh } from "../page-data";
import { prefetch, takePrefetched } from "../prefetch";
import type { Card, ListMeta, Product } from "../types";
import { cardsPath, listPath, type ProductQuery } from "./query";

/** A page of the list: of cards, or of full products for the office. */
export interface ProductPage<T = Product> {
  /** Path of the request that this answers. */
  key: string;
  data: T[];
  meta: ListMeta;
}

/** Returns a page of cards; the previous page stays until the next has loaded (`isOld`). */
export function useCards(query: ProductQuery) {
  return usePage<Card>(cardsPath(query));
}

/** Like `useCards`, with full products. */
export function useProducts(query: ProductQuery) {
  return usePage<Product>(listPath(query));
}

export function prefetchCards(query: ProductQuery): void {
  prefetch(cardsPath(query), fetchPage);
}

function usePage<T>(key: string) {
  const { data, ...rest } = useSWR<ProductPage<T>>(
    key,
    (path: string) => takePrefetched(path, fetchPage<T>),
    {
      keepPreviousData: true,
      revalidateIfStale: !isFresh(key),
    },
  );
  // After a failure the previous page would stand under the wrong heading.
  const page = rest.error !== undefined && data?.key !== key ? undefined : data;
  return { ...rest, data: page, isOld: page !== undefined && page.key !== key };
}

async function fetchPage<T>(key: string): Promise<ProductPage<T>> {
  return { ...(await request<ProductPage<T>>(key, listFailed)), key };
}
