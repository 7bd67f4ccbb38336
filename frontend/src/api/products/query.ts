import type { ShelfLink, ShownOffer } from "../types";

export interface ProductFilters {
  category?: string;
  search?: string;
  /** Names of sellers, of which a product must have one, with line breaks between them. */
  source?: string;
  /** Lowest and highest final price in rupees. */
  minPrice?: number;
  maxPrice?: number;
  /** Percent. */
  minDiscount?: number;
  /** Stars. */
  minRating?: number;
  /** Percent that former prices prove. */
  minProven?: number;
  endingSoon?: "true";
  /** Tags that the products must all have, with commas between them. */
  tag?: string;
  /** Slug of a collection. */
  collection?: string;
  /** Products that are not live, for administrators. */
  state?: "scheduled" | "draft" | "ended";
  /** Least days since it was added and since its price was checked, for administrators. */
  minAge?: number;
  minPriceAge?: number;
  /** Reason why live products need a look, for administrators. */
  needs?: "old-price" | "ending" | "pictures" | "no-clicks";
}

/** A list with an address of its own, and filters that it always has. */
export interface Shelf {
  path: string;
  filters: ProductFilters;
  name?: string;
  text?: string;
  html?: string;
  picture?: string;
  above?: ShelfLink;
  also?: ShelfLink[];
  /** Offers of the seller that run. */
  offers?: ShownOffer[];
}

export interface ProductQuery extends ProductFilters {
  /** The shelf whose filters are among those of the query. */
  shelf?: Shelf;
  /** A search that finds nothing lists nothing, not what its suggestion finds. */
  exact?: "true";
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
  "minRating",
  "minProven",
  "endingSoon",
  "tag",
  "collection",
  "state",
  "minAge",
  "minPriceAge",
  "needs",
] as const;

/** Names of the sellers of a query's filter. */
export function sellersOf({ source }: ProductFilters): string[] {
  return source?.split("\n") ?? [];
}

/** Returns the parameters of an address for a filter: one for each seller. */
export function parametersOf(name: string, value: unknown): [string, string][] {
  const values = name === "source" ? sellersOf({ source: String(value) }) : [String(value)];
  return values.map((value) => [name, value]);
}

// The server writes the same paths into its pages (src/storefront/list_query.rs).

export const LIST = "/product/get-products";
export const FACETS = "/product/facets";
export const DETAILS = "/product/product/";

const PAGING = ["page", "limit", "sortBy", "order", ...FILTERS] as const;

/** Path of the call for full products, exactly as searched. */
export function listPath(query: ProductQuery): string {
  return pathOf(LIST, query, PAGING);
}

/** Path of the call for cards, of what a suggestion finds if the search finds nothing. */
export function cardsPath(query: ProductQuery): string {
  return pathOf(LIST, { ...corrected(query), view: "card" }, [...PAGING, "exact", "view"]);
}

/** Path of the call that counts the options of the filters of `cardsPath`. */
export function cardFacetsPath(query: ProductQuery): string {
  return pathOf(FACETS, corrected(query), [...FILTERS, "exact"]);
}

function corrected(query: ProductQuery): object {
  const exact = query.search !== undefined && query.exact === undefined ? "false" : undefined;
  return { ...query, exact };
}

export function facetsPath(filters: ProductFilters): string {
  return pathOf(FACETS, filters, FILTERS);
}

export function detailsPath(id: string): string {
  return DETAILS + encodeURIComponent(id);
}

function pathOf(call: string, query: object, names: readonly string[]): string {
  const parameters: [string, string][] = [];
  for (const name of names) {
    const value = (query as Record<string, unknown>)[name];
    if (value !== undefined && value !== "") {
      parameters.push(...parametersOf(name, value));
    }
  }
  return parameters.length === 0 ? call : `${call}?${new URLSearchParams(parameters)}`;
}
