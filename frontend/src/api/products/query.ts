export interface ProductFilters {
  category?: string;
  search?: string;
  source?: string;
  /** Lowest and highest final price in rupees. */
  minPrice?: number;
  maxPrice?: number;
  /** Percent. */
  minDiscount?: number;
  /** Percent that former prices prove. */
  minProven?: number;
  endingSoon?: "true";
  /** Products that are not live, for administrators. */
  state?: "scheduled" | "draft" | "ended";
  /** Least days since it was added and since its price was checked, for administrators. */
  minAge?: number;
  minPriceAge?: number;
  /** Reason why live products need a look, for administrators. */
  needs?: "old-price" | "pictures" | "no-clicks";
}

export interface ProductQuery extends ProductFilters {
  page: number;
  limit: number;
  sortBy: string;
  order: string;
}

/** Filters in the order of every address. */
export const FILTERS = [
  "category",
  "search",
  "source",
  "minPrice",
  "maxPrice",
  "minDiscount",
  "minProven",
  "endingSoon",
  "state",
  "minAge",
  "minPriceAge",
  "needs",
] as const;

// The server writes the same paths into its pages (src/http/api/list_query.rs).

export const LIST = "/product/get-products";
export const FACETS = "/product/facets";
export const DETAILS = "/product/product/";

export function listPath(query: ProductQuery & { view?: "card" }): string {
  return pathOf(LIST, query, ["page", "limit", "sortBy", "order", ...FILTERS, "view"]);
}

export function facetsPath(filters: ProductFilters): string {
  return pathOf(FACETS, filters, FILTERS);
}

export function detailsPath(id: string): string {
  return DETAILS + encodeURIComponent(id);
}

function pathOf(call: string, query: object, names: readonly string[]): string {
  const parameters = new URLSearchParams();
  for (const name of names) {
    const value = (query as Record<string, unknown>)[name];
    if (value !== undefined && value !== "") {
      parameters.set(name, String(value));
    }
  }
  return parameters.size === 0 ? call : `${call}?${parameters}`;
}
