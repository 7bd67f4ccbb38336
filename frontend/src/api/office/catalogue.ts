import type { ProductPage } from "../products/list";
import type { ActivityPage, CategoryLike, DealMessage, Product, StateCounts, Tags } from "../types";
import { useCall } from "../use-call";

/** Length in characters of what is asked for, so that the address stays short. */
const MOST_WORDS = 500;

/** Returns a page of the activity log, one line for each batch, or the lines of one batch. */
export function useActivity(page: number, batch: number | null) {
  const path = `/product/activity?page=${page}${batch === null ? "" : `&batch=${batch}`}`;
  return useCall<ActivityPage>(path, "Failed to load the activity", { keepPreviousData: true });
}

/** Returns the product with this link of this seller; null if there is none. */
export function useProductByLink(query: { source: string; link: string } | null) {
  return useCall<{ product: Product | null }>(
    query && `/product/by-link?${new URLSearchParams(query)}`,
    "Failed to look for the link",
  );
}

/** Returns the category of most products with such words in their titles. */
export function useCategoryLike(words: string) {
  const query = new URLSearchParams({ words: words.slice(0, MOST_WORDS) });
  return useCall<CategoryLike>(
    words === "" ? null : `/product/category-like?${query}`,
    "Failed to suggest a category",
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );
}

/** Markup of a message. */
export type Messenger = "whatsapp" | "plain";

/** Returns a message about these products. */
export function useDealMessage(ids: readonly string[], messenger: Messenger) {
  const query = new URLSearchParams({ ids: ids.join(","), for: messenger });
  return useCall<DealMessage>(`/product/message?${query}`, "Failed to write the message", {
    revalidateOnFocus: false,
  });
}

/** Returns the tags in use, the most frequent first. */
export function useTags(wanted: boolean) {
  return useCall<Tags>(wanted ? "/product/tags" : null, "Failed to load the tags", {
    revalidateOnFocus: false,
  });
}

export function useStateCounts() {
  return useCall<StateCounts>("/product/states", "Failed to count the products");
}

/** Returns the number of deals that a rule finds now, and the first of them. */
export function useRuleDeals(rule: string) {
  return useCall<ProductPage>(
    `/product/get-products?${rule}${rule === "" ? "" : "&"}limit=3`,
    "Failed to count the deals",
    { keepPreviousData: true, shouldRetryOnError: false },
  );
}

export function useProductSearch(search: string) {
  const query = new URLSearchParams({ search, limit: "6", sortBy: "relevance", exact: "false" });
  return useCall<ProductPage>(
    search === "" ? null : `/product/get-products?${query}`,
    "Failed to load products",
    { keepPreviousData: true },
  );
}
