import { useLayoutEffect, useMemo, useRef } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { CATEGORIES, FILTERS, type ProductFilters, type ProductQuery } from "../api/products";
import { paths } from "../lib/paths";

/** Products on a page (spec section 9). */
const PAGE_SIZE = 10;
/** The longest search and name of a source that the server takes, in characters. */
export const MAX_SEARCH = 200;
const MAX_SOURCE = 100;
/** The highest page number that the server takes. */
const MAX_PAGE = 4_294_967_295;
/** The highest price in rupees. */
const MAX_PRICE = 1_000_000_000;

export const SORTS = [
  { value: "createdAt", label: "Date Added" },
  { value: "price", label: "Price" },
  { value: "ratings.averageRating", label: "Rating" },
  { value: "finalPrice", label: "Final price" },
  { value: "discount", label: "Discount" },
  { value: "proven", label: "Proven discount" },
  { value: "clicks", label: "Popularity" },
] as const;

const RELEVANCE = { value: "relevance", label: "Relevance" } as const;

/** The sorts there are for a query: only a search has relevance. */
export function sortsFor({ search }: ProductFilters): readonly { value: string; label: string }[] {
  return search ? [RELEVANCE, ...SORTS] : SORTS;
}

export const ORDERS = ["desc", "asc"] as const;

/** What each order means for each sort, in words. */
export function orderLabel(sortBy: string, order: string): string {
  const [high, low] = ORDER_LABELS[sortBy] ?? ["Highest first", "Lowest first"];
  return (order === "desc" ? high : low) ?? order;
}

const ORDER_LABELS: Record<string, readonly [string, string]> = {
  createdAt: ["Newest first", "Oldest first"],
  relevance: ["Best first", "Best last"],
};

const STATES = ["scheduled", "draft", "ended"] as const;

type Filters = Partial<Record<"search" | "category" | "source" | "sortBy" | "order" | "endingSoon", string>> &
  Partial<Record<"minPrice" | "maxPrice" | "minDiscount" | "minProven", number | string>>;

/**
 * What an address asks for. What it says wrongly counts as not said; the server
 * reads the addresses of its pages in the same way (`src/http/api/list_query.rs`).
 */
export function readQuery(parameters: URLSearchParams, pageSize = PAGE_SIZE): ProductQuery {
  const said = (name: string) => parameters.get(name)?.trim() ?? "";
  const category = CATEGORIES.find((name) => name === said("category"));
  const search = upTo(MAX_SEARCH, said("search"));
  const source = upTo(MAX_SOURCE, said("source"));
  const [minPrice, maxPrice] = inOrder(price(said("minPrice")), price(said("maxPrice")));
  const minDiscount = decimal(said("minDiscount"), 100);
  const state = STATES.find((state) => state === said("state"));
  const minProven = decimal(said("minProven"), 100);
  const sorts = sortsFor(search ? { search } : {});
  return {
    page: pageNumber(said("page")),
    limit: pageSize,
    sortBy: sorts.find(({ value }) => value === said("sortBy"))?.value ?? usualSort(search),
    order: ORDERS.find((order) => order === said("order")) ?? "desc",
    ...(category ? { category } : {}),
    ...(search ? { search } : {}),
    ...(source ? { source } : {}),
    ...(minPrice === undefined ? {} : { minPrice }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
    ...(minDiscount === undefined ? {} : { minDiscount }),
    ...(minProven === undefined ? {} : { minProven }),
    ...(said("endingSoon") === "true" ? { endingSoon: "true" } : {}),
    // What is not live is listed in the office only.
    ...(state && pageSize !== PAGE_SIZE ? { state } : {}),
  };
}

/** The parameters of a query's address, without what goes without saying. */
export function listParameters(query: ProductQuery): [string, string][] {
  const said: [string, string | number | undefined][] = [
    ["search", query.search],
    ...FILTERS.filter((name) => name !== "search").map((name): [string, string | number | undefined] => [
      name,
      query[name],
    ]),
    ["sortBy", query.sortBy === usualSort(query.search) ? undefined : query.sortBy],
    ["order", query.order === "desc" ? undefined : query.order],
    ["page", query.page > 1 ? query.page : undefined],
  ];
  return said.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

/** The address of the list with this query. */
export function listAddress(query: ProductQuery): string {
  const parameters = listParameters(query);
  return parameters.length === 0 ? paths.listing : `${paths.listing}?${new URLSearchParams(parameters)}`;
}

/**
 * The listing's filters and page, which live in the URL and nowhere else: the
 * address can be shared, and back and forward go through them.
 */
export function useListState(pageSize = PAGE_SIZE) {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const query = useMemo(() => readQuery(parameters, pageSize), [parameters, pageSize]);

  // Several fields may change before the address has followed the first of them.
  const latest = useRef(query);
  useLayoutEffect(() => {
    latest.current = query;
  }, [query]);

  const go = (next: ProductQuery, keepScroll: boolean) => {
    latest.current = next;
    const search = new URLSearchParams(listParameters(next)).toString();
    // Asking for the same again is no step to go back to.
    const replace = search === parameters.toString();
    void navigate({ search }, { replace, state: { keepScroll } });
  };

  return {
    query,
    /** Changes filters and goes to page 1; an empty value removes a filter. */
    setFilters(filters: Filters) {
      go(changed(latest.current, filters), true);
    },
    clearFilters() {
      go(readQuery(new URLSearchParams(), pageSize), true);
    },
    setPage(page: number) {
      go({ ...latest.current, page }, false);
    },
  };
}

/** The query with some filters changed, on page 1; an empty value removes a filter. */
export function changed(query: ProductQuery, filters: Filters): ProductQuery {
  const next = new URLSearchParams(listParameters({ ...query, page: 1 }));
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || value === "") {
      next.delete(name);
    } else {
      next.set(name, String(value));
    }
  }
  return readQuery(next, query.limit);
}

function usualSort(search: string | undefined): string {
  return search ? RELEVANCE.value : "createdAt";
}

/** As much of a text as the server takes. */
function upTo(length: number, text: string): string {
  return text.length > length ? Array.from(text).slice(0, length).join("").trim() : text;
}

/** A price in rupees as people type it, with commas between its digits. */
function price(text: string): number | undefined {
  return decimal(text.replace(/[,\s₹]/g, ""), MAX_PRICE);
}

/** The lower one first, whichever was given as which. */
function inOrder(least: number | undefined, most: number | undefined) {
  return least !== undefined && most !== undefined && most < least ? [most, least] : [least, most];
}

/** A number with at most two decimals, from 0. */
function decimal(text: string, most: number): number | undefined {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return number <= most && Math.round(number * 100) / 100 === number ? number : undefined;
}

function pageNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : 1;
  return number >= 1 && number <= MAX_PAGE ? number : 1;
}
