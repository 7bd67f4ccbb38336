import useSWR, { type SWRConfiguration, useSWRConfig } from "swr";
import { excerpt } from "../../lib/constants.json";
import { truncate } from "../../lib/truncate";
import { detailsFailed } from "../../texts/en.json";
import { ApiError, request } from "../client";
import { isFresh } from "../page-data";
import { prefetch, takePrefetched } from "../prefetch";
import type { Card, Product } from "../types";
import type { ProductPage } from "./list";
import { detailsPath, LIST } from "./query";

export function cardOf({ description, images, ...product }: Product): Card {
  return { ...product, excerpt: truncate(description, excerpt), image: images[0] ?? "" };
}

/** Returns a product by its `_id`; null if the page came with the answer that there is none. */
export function useProduct(id: string, options: SWRConfiguration<Product | null> = {}) {
  const key = detailsPath(id);
  return useSWR<Product | null>(key, (path: string) => takePrefetched(path, fetchProduct), {
    revalidateIfStale: !isFresh(key),
    ...options,
  });
}

export function prefetchProduct(id: string): void {
  prefetch(detailsPath(id), fetchProduct);
}

/** Returns a product's card from a cached list, to be shown until the product has loaded. */
export function useCachedCard(id: string): Card | undefined {
  const { cache } = useSWRConfig();
  for (const key of cache.keys()) {
    if (key.startsWith(LIST)) {
      const page = cache.get(key)?.data as ProductPage<Card | Product> | undefined;
      const found = page?.data.find(({ _id }) => _id === id);
      if (found) {
        return "excerpt" in found ? found : cardOf(found);
      }
    }
  }
  return undefined;
}

async function fetchProduct(path: string): Promise<Product> {
  const get = (credentials: RequestCredentials) =>
    request<{ product: Product }>(path, detailsFailed, { credentials });
  const answer = await get("omit").catch((error: unknown) => {
    // Only administrators see products that are not live.
    if (error instanceof ApiError && error.status === 404) {
      return get("include");
    }
    throw error;
  });
  return answer.product;
}
