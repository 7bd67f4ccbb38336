import useSWR, { useSWRConfig } from "swr";
import { request } from "../client";
import { expireCatalogue } from "../products/changes";
import type { BulkOutcome, ImportReport, Mapping, PricePreview, Product } from "../types";
import { type FileChoice, importCall } from "./files";

/** A change of final prices, down if negative. */
export interface PriceChange {
  action: "changePrice";
  unit: "rupees" | "percent";
  value: number;
}

/** Products by id, or all of a list if it still has `total`. */
export type Which = string[] | { list: string; total: number };

export type BulkChange =
  | { action: "delete" | "publish" | "end" }
  | { action: "category"; value: string }
  | { action: "addTags" | "removeTags"; value: string[] }
  | { action: "discount"; value: number }
  | PriceChange
  | { action: "keepCheapest"; value: string }
  | { action: "setEnd"; value: string | null };

/** Changes the catalogue as an administrator; everything that shows it is fetched again. */
export function useCatalogueChanges() {
  const { mutate } = useSWRConfig();
  const refresh = () => {
    expireCatalogue();
    return mutate((key) => typeof key === "string" && /^\/(product|report)\//.test(key));
  };
  const change = async <T>(
    path: string,
    failure: string,
    body: unknown = {},
    method: "POST" | "PUT" = "POST",
  ): Promise<T> => {
    const answer = await request<T>(`/product/${path}`, failure, { method, body });
    await refresh();
    return answer;
  };
  return {
    changeMany(which: Which, wanted: BulkChange) {
      return change<BulkOutcome>("bulk", BULK_FAILURE, bulkBody(which, wanted));
    },

    /** Changes some fields of a product, if it is still of the version that was read. */
    async edit(product: Product, fields: Partial<Pick<Product, "price" | "discount" | "finalPrice">>) {
      // A change names every field (spec section 3).
      const { ratings, finalPrice: _, clicks: __, createdAt: ___, shown: ____, ...rest } = product;
      const path = `update-product/${encodeURIComponent(product._id)}`;
      const failure = "failed to update product please try again later";
      const answer = await change<{ product: Product }>(
        path,
        failure,
        { ...rest, ...ratings, ...fields },
        "PUT",
      );
      return answer.product;
    },

    /** Makes now the time of the last check of prices that are still the ones that were read; throws the first refusal. */
    async confirmPrices(products: readonly Product[]) {
      const failure = "failed to confirm the price please try again later";
      try {
        for (const { _id, finalPrice } of products) {
          const path = `/product/confirm-price/${encodeURIComponent(_id)}`;
          await request<unknown>(path, failure, { method: "POST", body: { finalPrice } });
        }
      } finally {
        await refresh();
      }
    },

    /** Removes a former price, identified by when it was first seen. */
    removePrice(id: string, from: string) {
      const failure = "failed to remove the price please try again later";
      return change<unknown>(`strike-price/${encodeURIComponent(id)}`, failure, { from });
    },

    undo(id: string) {
      return change<unknown>(`undo/${id}`, "failed to undo please try again later");
    },

    /** Fills an empty shop with demo products, and returns their number. */
    async addDemo() {
      const failure = "failed to add the demo products please try again later";
      return (await change<{ added: number }>("demo", failure)).added;
    },

    /** Imports the valid rows of a file. */
    importFile(file: File, choice: FileChoice, mapping?: Mapping) {
      const { path, body } = importCall(file, choice, mapping);
      return change<ImportReport>(path, "failed to import the file please try again later", body);
    },
  };
}

const BULK_FAILURE = "failed to change the products please try again later";

function bulkBody(which: Which, wanted: BulkChange) {
  return { ...(Array.isArray(which) ? { ids: which } : which), ...wanted };
}

/** Returns what a change of prices would do, or nothing for no change. */
export function usePricePreview(which: Which, change: PriceChange | undefined) {
  return useSWR<PricePreview>(
    change && ["price preview", bulkBody(which, change)],
    ([, body]: [string, object]) => request("/product/bulk/preview", BULK_FAILURE, { method: "POST", body }),
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );
}
