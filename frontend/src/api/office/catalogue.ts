import useSWR, { useSWRConfig } from "swr";
import { request } from "../client";
import { forgetCatalogue, type Product } from "../products";

/** What was done: one line for each act, or the lines of one act. */
export interface Activity {
  /** Names the act, for its lines. */
  deed: number;
  /** How many lines the act has; the rest is of the first. */
  lines: number;
  /** Whether it took something back. */
  undo: boolean;
  at: string;
  actor: string;
  action: "added" | "changed" | "deleted" | "imported" | "set";
  product: string | null;
  title: string | null;
  /** Whether the product is not there any more. */
  gone: boolean;
  /** `{price: {from, to}}` for a change, `{price: {to}}` for that of many, counts for an import. */
  details: Record<string, unknown>;
}

interface ActivityPage {
  data: Activity[];
  meta: { currentPage: number; totalPages: number; total: number; limit: number };
}

/** The activity log, or the lines of one act. */
export function useActivity(page: number, deed: number | null) {
  return useSWR<ActivityPage>(
    `/product/activity?page=${page}${deed === null ? "" : `&deed=${deed}`}`,
    (key: string) => request<ActivityPage>(key, "Failed to load the activity"),
    { keepPreviousData: true },
  );
}

/** The product that has this link of this seller already, if there is one. */
export function useProductByLink(asked: { source: string; link: string } | null) {
  const key = asked && `/product/by-link?${new URLSearchParams(asked)}`;
  return useSWR<Product | null>(key, async (path: string) => {
    const answer = await request<{ product: Product | null }>(path, "Failed to look for the link");
    return answer.product;
  });
}

export type BulkChange =
  | { action: "delete" }
  | { action: "category"; value: string }
  | { action: "discount"; value: number }
  | { action: "publish" | "end" }
  | { action: "setEnd"; value: string | null };

export interface StateCounts {
  live: number;
  scheduled: number;
  ended: number;
  drafts: number;
}

/** How many products are live, and how many are not. */
export function useStateCounts() {
  return useSWR<StateCounts>("/product/states", (key: string) =>
    request<StateCounts>(key, "Failed to count the products"),
  );
}

export interface ImportReport {
  added: number;
  updated: number;
  unchanged: number;
  replaced: number;
  skipped: number;
  problems: { row: number; field: string; message: string }[];
  moreProblems: number;
}

/** What is done to the catalogue as a whole; whatever shows it is fetched again. */
export function useCatalogueChanges() {
  const { mutate } = useSWRConfig();
  const refresh = () => {
    forgetCatalogue();
    return mutate((key) => typeof key === "string" && /^\/(product|report)\//.test(key));
  };
  return {
    /** Changes some products, or all of a list that has as many as were seen. */
    async change(which: string[] | { list: string; total: number }, change: BulkChange) {
      const outcome = await request<{ changed: number; undo: string }>(
        "/product/bulk",
        "failed to change the products please try again later",
        { method: "POST", body: { ...(Array.isArray(which) ? { ids: which } : which), ...change } },
      );
      await refresh();
      return outcome;
    },

    /** Changes a few fields of a product, if it is still of the version that was seen. */
    async edit(seen: Product, fields: Partial<Pick<Product, "price" | "discount" | "finalPrice">>) {
      // A change names every field (spec section 3).
      const { ratings, finalPrice: _, clicks: __, createdAt: ___, shown: ____, ...rest } = seen;
      const { product } = await request<{ product: Product }>(
        `/product/update-product/${encodeURIComponent(seen._id)}`,
        "failed to update product please try again later",
        { method: "PUT", body: { ...rest, ...ratings, ...fields } },
      );
      await refresh();
      return product;
    },

    /** Strikes out a former price of a product, by when it was first seen. */
    async strikePrice(id: string, from: string) {
      await request<{ message: string }>(
        `/product/strike-price/${encodeURIComponent(id)}`,
        "failed to strike out the price please try again later",
        { method: "POST", body: { from } },
      );
      await refresh();
    },

    async undo(id: string) {
      await request<{ restored: number }>(`/product/undo/${id}`, "failed to undo please try again later", {
        method: "POST",
        body: {},
      });
      await refresh();
    },

    /** What importing a file would do. */
    preview(file: Blob) {
      return upload(file, "dryRun=true&skipInvalid=true");
    },

    /** Imports the valid rows of a file. */
    async importFile(file: Blob) {
      const report = await upload(file, "skipInvalid=true");
      await refresh();
      return report;
    },
  };
}

function upload(file: Blob, flags: string): Promise<ImportReport> {
  return request<ImportReport>(
    `/product/import?${flags}`,
    "failed to import the file please try again later",
    {
      method: "POST",
      body: file,
    },
  );
}
