import { useSWRConfig } from "swr";
import { request } from "../client";
import { expirePageData } from "../page-data";
import { clearPrefetched } from "../prefetch";
import { useRequestKey } from "../request-key";
import type { Product, ProductRequest } from "../types";
import { detailsPath, FACETS, LIST } from "./query";

/** Body of adding and changing a product; its schema has checked the category, offers and status. */
export type ProductInput = Omit<ProductRequest, "category" | "offers" | "status"> & {
  category: string;
  offers: unknown[];
  status: string;
};

/** Drops all data that was fetched before the catalogue changed. */
export function expireCatalogue(): void {
  clearPrefetched();
  expirePageData();
}

/** Adds, changes and deletes a product; lists and counts are fetched again. */
export function useProductChanges() {
  const { mutate } = useSWRConfig();
  const keyed = useRequestKey();
  const refresh = (id: string, product?: Product) => {
    expireCatalogue();
    return Promise.all([
      mutate(detailsPath(id), product, { revalidate: false }),
      mutate((key) => typeof key === "string" && (key.startsWith(LIST) || key.startsWith(FACETS))),
    ]);
  };
  return {
    /** With `unique`, 409 names the seller's deal with the same link, if there is one. */
    async add(input: ProductInput, unique: boolean): Promise<Product> {
      const path = `/product/add-product${unique ? "?unique=true" : ""}`;
      const { product } = await keyed(path + JSON.stringify(input), (idempotencyKey) =>
        request<{ product: Product }>(path, "failed to add product please try again later", {
          method: "POST",
          body: input,
          idempotencyKey,
        }),
      );
      await refresh(product._id, product);
      return product;
    },

    /** `updatedAt` names the version that was changed; another one answers 409. */
    async update(id: string, input: ProductInput & { updatedAt: string }): Promise<Product> {
      const { product } = await request<{ product: Product }>(
        `/product/update-product/${encodeURIComponent(id)}`,
        "failed to update product please try again later",
        { method: "PUT", body: { _id: id, ...input } },
      );
      await refresh(id, product);
      return product;
    },

    async remove(id: string): Promise<void> {
      await request<unknown>(
        `/product/delete-product/${encodeURIComponent(id)}`,
        "failed to delete product please try again later",
        { method: "DELETE" },
      );
      await refresh(id);
    },
  };
}
