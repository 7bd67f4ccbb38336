import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { CATEGORIES, type ProductQuery } from "../api/products";

/** Products on a page (spec section 9). */
const PAGE_SIZE = 10;
/** The longest search the server takes, in characters. */
export const MAX_SEARCH = 200;

export const SORTS = [
  { value: "createdAt", label: "Date Added" },
  { value: "price", label: "Price" },
  { value: "ratings.averageRating", label: "Rating" },
] as const;

export const ORDERS = ["desc", "asc"] as const;

/** What each order means for each sort, in words. */
export function orderLabel(sortBy: string, order: string): string {
  const [high, low] =
    sortBy === "createdAt" ? ["Newest first", "Oldest first"] : ["Highest first", "Lowest first"];
  return (order === "desc" ? high : low) ?? order;
}

type Filters = Partial<Record<"search" | "category" | "sortBy" | "order", string>>;

/**
 * The listing's filters and page, which live in the URL and nowhere else: the
 * address can be shared, and back and forward go through them. What the URL says
 * wrongly counts as not said.
 */
export function useListState(pageSize = PAGE_SIZE, sorts: readonly { value: string }[] = SORTS) {
  const [parameters, setParameters] = useSearchParams();

  const query = useMemo<ProductQuery>(() => {
    const category = CATEGORIES.find((name) => name === parameters.get("category"));
    const search = Array.from(parameters.get("search")?.trim() ?? "")
      .slice(0, MAX_SEARCH)
      .join("");
    return {
      page: pageNumber(parameters.get("page")),
      limit: pageSize,
      sortBy: sorts.find(({ value }) => value === parameters.get("sortBy"))?.value ?? "createdAt",
      order: ORDERS.find((order) => order === parameters.get("order")) ?? "desc",
      ...(category ? { category } : {}),
      ...(search ? { search } : {}),
    };
  }, [parameters, pageSize, sorts]);

  return {
    query,
    /** Changes filters and goes to page 1; an empty value removes a filter. */
    setFilters(filters: Filters) {
      const next = new URLSearchParams(parameters);
      next.delete("page");
      for (const [name, value] of Object.entries(filters)) {
        if (value) {
          next.set(name, value);
        } else {
          next.delete(name);
        }
      }
      // Searching for the same again is no step to go back to.
      const replace = next.toString() === parameters.toString();
      setParameters(next, { preventScrollReset: true, replace });
    },
    clearFilters() {
      setParameters({}, { preventScrollReset: true });
    },
    setPage(page: number) {
      setParameters((current) => {
        const next = new URLSearchParams(current);
        next.set("page", String(page));
        return next;
      });
    },
  };
}

function pageNumber(text: string | null): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1;
}
