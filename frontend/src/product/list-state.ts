import { useLayoutEffect, useMemo, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router-dom";
import {
  FILTERS,
  type ProductFilters,
  type ProductQuery,
  parametersOf,
  type Shelf,
  sellersOf,
} from "../api/products/query";
import { useShelfAnswer } from "../api/products/related";
import {
  maxCategory,
  maxPage,
  maxPrice,
  maxSearch,
  maxSource,
  maxSources,
  orderLabels,
  pageSize,
  sorts,
} from "../lib/constants.json";
import { paths } from "../lib/paths";
import { categoryPath, useCategoryNames } from "../shop/categories";
import { useShop } from "../shop/shop";
import { areTags, tagsOf } from "../shop/tags";

/** Sorts of a query: only a search can be sorted by relevance, the first one. */
export function sortsFor({ search }: ProductFilters): readonly { value: string; label: string }[] {
  return search ? sorts : sorts.slice(1);
}

export const ORDERS = ["desc", "asc"] as const;

export function orderLabel(sortBy: string, order: (typeof ORDERS)[number]): string {
  const labels: Partial<Record<string, typeof orderLabels.other>> = orderLabels;
  return (labels[sortBy] ?? orderLabels.other)[order];
}

/** Sorts whose lowest value is wanted first. */
const LOWEST_FIRST = ["price", "finalPrice", "endsAt"];

/** Returns the order in which people want a sort. */
export function usualOrder(sortBy: string): (typeof ORDERS)[number] {
  return LOWEST_FIRST.includes(sortBy) ? "asc" : "desc";
}

const STATES = ["scheduled", "draft", "ended"] as const;
const NEEDS = ["old-price", "ending", "pictures", "no-clicks"] as const;

type Filters = Partial<
  Record<
    "search" | "category" | "source" | "sortBy" | "order" | "endingSoon" | "tag" | "collection" | "exact",
    string
  >
> &
  Partial<
    Record<
      "minPrice" | "maxPrice" | "minDiscount" | "minRating" | "minProven" | "minAge" | "minPriceAge",
      number | string
    >
  >;

interface Parameters {
  get: (name: string) => string | null | undefined;
  getAll?: (name: string) => string[];
}

/**
 * Reads the query of an address. Invalid parameters are ignored, as the server does
 * for its pages (`src/storefront/list_query.rs`); without names of categories, every category is valid.
 */
export function readQuery(
  parameters: Parameters,
  limit = pageSize,
  categories?: readonly string[],
): ProductQuery {
  const given = (name: string) => parameters.get(name)?.trim() ?? "";
  const [givenCategory, givenSort, givenOrder] = [given("category"), given("sortBy"), given("order")];
  const named = givenCategory === "all" ? undefined : upTo(maxCategory, givenCategory);
  const category = categories === undefined || categories.includes(named ?? "") ? named : undefined;
  const search = upTo(maxSearch, given("search"));
  const source = sellers(parameters.getAll?.("source").join("\n") ?? given("source"));
  const [minPrice, maxPrice] = inOrder(price(given("minPrice")), price(given("maxPrice")));
  const minDiscount = decimal(given("minDiscount"), 100);
  const minRating = stars(given("minRating"));
  const minProven = decimal(given("minProven"), 100);
  const tags = tagsOf(String(parameters.getAll?.("tag") ?? given("tag")));
  const collection = given("collection");
  const offered = sortsFor(search ? { search } : {});
  return {
    page: pageNumber(given("page")),
    limit,
    sortBy: offered.find(({ value }) => value === givenSort)?.value ?? usualSort(search),
    order: ORDERS.find((order) => order === givenOrder) ?? "desc",
    ...(category ? { category } : {}),
    ...(search ? { search } : {}),
    ...(source ? { source } : {}),
    ...(minPrice === undefined ? {} : { minPrice }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
    ...(minDiscount === undefined ? {} : { minDiscount }),
    ...(minRating ? { minRating } : {}),
    ...(minProven === undefined ? {} : { minProven }),
    ...(given("endingSoon") === "true" ? { endingSoon: "true" } : {}),
    ...(tags.length > 0 && areTags(tags) ? { tag: tags.join() } : {}),
    ...(collection && { collection }),
    ...(search && given("exact") === "true" ? { exact: "true" } : {}),
    ...(limit === pageSize ? {} : officeFilters(given)),
  };
}

/** Reads the filters that only the office has. */
function officeFilters(given: (name: string) => string): ProductFilters {
  const state = STATES.find((state) => state === given("state"));
  const [minAge, minPriceAge] = [given("minAge"), given("minPriceAge")].map((days) =>
    /^[1-9]\d{0,2}$/.test(days) ? Number(days) : undefined,
  );
  const view = given("needs") || given("view");
  const needs = NEEDS.find((needs) => needs === view);
  return {
    ...(state && { state }),
    ...(minAge && { minAge }),
    ...(minPriceAge && { minPriceAge }),
    ...(needs && { needs }),
  };
}

const SHELF = /^\/(category|collection|seller)\/(?:[^/]+\/)?([^/]+)$/;

/** Returns the shelf of the address, and whether it has one, which may not be known yet. */
export function useShelf() {
  const { pathname } = useLocation();
  const { categories } = useShop();
  const [, kind, slug] = SHELF.exec(pathname) ?? [];
  const { data, error } = useShelfAnswer(kind, slug);
  const shelf = useMemo(() => {
    const known = categories.find(({ name }) => categoryPath(categories, name) === pathname);
    return data ?? (known && { path: pathname, filters: { category: known.name } });
  }, [data, categories, pathname]);
  return { isShelf: kind !== undefined, shelf, error };
}

/** Returns a query on a shelf. */
export function onShelf(query: ProductQuery, shelf: Shelf | undefined): ProductQuery {
  return shelf === undefined ? query : { ...query, ...shelf.filters, shelf };
}

/** Returns the path of the query's list. */
export function listBase({ shelf }: ProductQuery): string {
  return shelf?.path ?? paths.listing;
}

/** Filters in the order of the list's address. */
const ADDRESSED = ["search", ...FILTERS.filter((name) => name !== "search")] as const;

/** Returns the parameters of a query's address, without defaults and the filters of its shelf. */
export function listParameters(query: ProductQuery): [string, string][] {
  const fixed: object = query.shelf?.filters ?? {};
  return allParameters(query).flatMap(([name, value]) => (name in fixed ? [] : parametersOf(name, value)));
}

function allParameters(query: ProductQuery): [string, string][] {
  const parameters: [string, string][] = [];
  for (const name of ADDRESSED) {
    const value = query[name];
    if (value !== undefined) {
      parameters.push([name, String(value)]);
    }
  }
  if (query.exact) {
    parameters.push(["exact", query.exact]);
  }
  if (query.sortBy !== usualSort(query.search)) {
    parameters.push(["sortBy", query.sortBy]);
  }
  if (query.order !== "desc") {
    parameters.push(["order", query.order]);
  }
  if (query.page > 1) {
    parameters.push(["page", String(query.page)]);
  }
  return parameters;
}

export function listAddress(query: ProductQuery): string {
  const parameters = listParameters(query);
  const base = listBase(query);
  return parameters.length === 0 ? base : `${base}?${new URLSearchParams(parameters)}`;
}

/** Returns the number of a query's filters; each seller is one, and so are a lowest and a highest price. */
function filterCount(query: ProductQuery): number {
  const set = FILTERS.filter((name) => query[name] !== undefined);
  const more = Math.max(sellersOf(query).length - 1, 0);
  return set.length + more - (query.minPrice !== undefined && query.maxPrice !== undefined ? 1 : 0);
}

/** Returns the relation of a link to a list: crawlers follow none to several filters. */
export function relation(to: ProductQuery): "nofollow" | undefined {
  return filterCount(to) > 1 ? "nofollow" : undefined;
}

/** Returns the relation of a link to the feed of a list. */
export function feedRelation(query: ProductQuery): "nofollow" | undefined {
  return filterCount(query) > 0 ? "nofollow" : undefined;
}

/** Returns the address of a feed of the list with the query's filters. */
export function feedAddress(query: ProductQuery, feed = "/feed.xml"): string {
  const { shelf, ...rest } = changed(query, { sortBy: "", order: "" });
  return feed + listAddress(rest).slice(paths.listing.length);
}

/** Returns the address of the screen that follows the list with the query's filters. */
export function followAddress(query: ProductQuery): string {
  return feedAddress(query, "/follow");
}

/** Returns true if the query has no filters: only its order and page may differ from the home page's. */
export function isUnfiltered(query: ProductQuery): boolean {
  return listAddress(changed(query, { sortBy: "", order: "" })) === paths.listing;
}

/**
 * Filters and page of the listing. The URL is their only state, so that the address can be shared
 * and the history works.
 */
export function useListState(limit = pageSize) {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const categories = useCategoryNames();
  const { shelf } = useShelf();
  const query = useMemo(
    () => onShelf(readQuery(parameters, limit, categories), shelf),
    [parameters, limit, categories, shelf],
  );

  // Several fields may change before the address follows.
  const latest = useRef(query);
  useLayoutEffect(() => {
    latest.current = query;
  }, [query]);

  const go = (next: ProductQuery, keepScroll: boolean) => {
    latest.current = next;
    const search = new URLSearchParams(listParameters(next)).toString();
    // The same query again adds no entry to the history.
    const replace = next.shelf === query.shelf && search === parameters.toString();
    const pathname = query.shelf && listBase(next);
    void navigate({ ...(pathname && { pathname }), search }, { replace, state: { keepScroll } });
  };

  return {
    query,
    /**
     * Changes filters of the query, or of another form of it, and goes to page 1; an empty value
     * removes a filter.
     */
    setFilters(filters: Filters, of = query) {
      go(changed(latest.current === query ? of : latest.current, filters), true);
    },
    clearFilters() {
      go(onShelf(readQuery(new URLSearchParams(), limit), shelf), true);
    },
    setPage(page: number) {
      go({ ...latest.current, page }, false);
    },
  };
}

/**
 * Returns the query with some filters changed, on page 1; an empty value removes a filter. It stays on its
 * shelf unless a filter of that changes.
 */
export function changed(query: ProductQuery, filters: Filters): ProductQuery {
  const next = new Map(allParameters({ ...query, page: 1 }));
  if (filters.search !== undefined) {
    next.delete("exact");
  }
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || value === "") {
      next.delete(name);
    } else {
      next.set(name, String(value));
    }
  }
  const { shelf } = query;
  const leaves = Object.keys(filters).some((name) => name in (shelf?.filters ?? {}));
  return onShelf(readQuery(next, query.limit), leaves ? undefined : shelf);
}

/** Returns the changes that set the filter of ends and, with the usual sort, the order by end. */
export function endSoon({ sortBy, order }: ProductQuery, only: boolean): Filters {
  const sort = `${sortBy} ${order}`;
  if (only) {
    return { endingSoon: "true", ...(sort === "createdAt desc" && { sortBy: "endsAt", order: "asc" }) };
  }
  return { endingSoon: "", ...(sort === "endsAt asc" && { sortBy: "", order: "" }) };
}

/** Returns the filter by seller with one more, or with one less if it has that already. */
export function withSeller(query: ProductQuery, name: string): string {
  const chosen = sellersOf(query);
  const rest = chosen.filter((one) => one !== name);
  return (rest.length < chosen.length ? rest : [...rest.slice(1 - maxSources), name]).join("\n");
}

/** Returns the query without a filter. */
export function without(query: ProductQuery, name: string): ProductQuery {
  return changed(query, name === "endingSoon" ? endSoon(query, false) : { [name]: "" });
}

function usualSort(search: string | undefined): string {
  return search ? "relevance" : "createdAt";
}

/** Joins the names of sellers, each once, as the server sorts them; too many are none. */
function sellers(source: string): string {
  const given = sellersOf({ source }).map((name) => upTo(maxSource, name.trim()));
  const names = new Set(given.filter(Boolean));
  return names.size > maxSources ? "" : [...names].sort().join("\n");
}

function stars(text: string): number | undefined {
  return /^0*[1-5]$/.test(text) ? Number(text) : undefined;
}

function upTo(length: number, text: string): string {
  return text.length > length ? Array.from(text).slice(0, length).join("").trim() : text;
}

/** Reads a price in rupees as people type it, with commas. */
function price(text: string): number | undefined {
  return decimal(text.replace(/[,\s₹]/g, ""), maxPrice);
}

function inOrder(least: number | undefined, most: number | undefined) {
  return least !== undefined && most !== undefined && most < least ? [most, least] : [least, most];
}

/** Reads a number from 0 with at most two decimals. */
function decimal(text: string, most: number): number | undefined {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return number <= most && Math.round(number * 100) / 100 === number ? number : undefined;
}

function pageNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : 1;
  return number >= 1 && number <= maxPage ? number : 1;
}
