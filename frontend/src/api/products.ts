import useSWR, { type State, type SWRConfiguration, useSWRConfig } from "swr";
import { clickCall, clickNote } from "../lib/click-call";
import { truncate } from "../lib/truncate";
import type { Card } from "./cards";
import { ApiError, request } from "./client";
import { fetched, forgetAhead, prefetch } from "./prefetch";
import { forgetServed, justServed, type Served } from "./served";
import { useServed } from "./use-served";

export const CATEGORIES = ["Electronics", "Clothing", "Books", "Home"] as const;
export type Category = (typeof CATEGORIES)[number];

/** A product as the server gives it (spec section 3). */
export interface Product extends Omit<Card, "excerpt" | "image"> {
  category: Category;
  description: string;
  images: string[];
  /** RFC 3339. */
  createdAt: string;
  updatedAt: string;
  offers?: Offer[];
  status?: "draft" | "live";
  startsAt?: string;
  endsAt?: string;
}

/** Characters of the description on a card (spec section 9). */
const EXCERPT = 100;

/** Returns a product as a list shows it. */
export function cardOf({ description, images, ...product }: Product): Card {
  return { ...product, excerpt: truncate(description, EXCERPT), image: images[0] ?? "" };
}

/** A coupon or another offer beside a product's price. */
export interface Offer {
  kind: string;
  code?: string;
  text?: string;
  percent?: number;
  amount?: number;
  cap?: number;
  minOrder?: number;
  instant?: boolean;
  /** RFC 3339. */
  endsAt?: string;
  /** In a sentence. */
  words: string;
  /** When it was last found to be so (RFC 3339). */
  checkedAt?: string;
}

/** A page of the list: of cards, or of whole products for the office. */
export interface ProductPage<T = Product> {
  /** The request that this answers. */
  key: string;
  data: T[];
  meta: {
    currentPage: number;
    totalPages: number;
    total: number;
    limit: number;
    /** Words to mark, lower case without accents. */
    matches?: string[];
    /** What a search that found nothing may have meant. */
    suggestion?: string;
    /** The prices in rupees that were read in the words of the search. */
    minPriceRead?: number;
    maxPriceRead?: number;
    /** How many there would be without one of several filters that find nothing together. */
    relaxed?: { without: string; total: number }[];
  };
}

/** Which products are asked for. */
export interface ProductFilters {
  category?: Category;
  search?: string;
  source?: string;
  /** Rupees to pay, at least and at most. */
  minPrice?: number;
  maxPrice?: number;
  /** Percent. */
  minDiscount?: number;
  /** Percent that former prices prove. */
  minProven?: number;
  endingSoon?: "true";
  /** What is not live, for administrators. */
  state?: "scheduled" | "draft" | "ended";
}

export interface ProductQuery extends ProductFilters {
  page: number;
  limit: number;
  sortBy: string;
  order: string;
}

/** How many products each choice of a filter would leave. */
export interface Facets {
  all: number;
  categories: { name: string; products: number }[];
  sources: { name: string; products: number }[];
  endingSoon?: number;
  proven?: number;
}

const LIST = "/product/get-products";
const DETAIL = "/product/product/";
const FACETS = "/product/facets";

/** The filters in the order in which they stand in every address. */
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
] as const;

// The server writes the same paths into its pages.
function path(call: string, query: object, names: readonly string[]): string {
  const parameters = new URLSearchParams();
  for (const name of names) {
    const value = (query as Record<string, unknown>)[name];
    if (value !== undefined && value !== "") {
      parameters.set(name, String(value));
    }
  }
  return parameters.size === 0 ? call : `${call}?${parameters}`;
}

function listKey(query: ProductQuery & { view?: "card" }): string {
  return path(LIST, query, ["page", "limit", "sortBy", "order", ...FILTERS, "view"]);
}

function cardsKey(query: ProductQuery): string {
  return listKey({ ...query, view: "card" });
}

function detailKey(id: string): string {
  return DETAIL + encodeURIComponent(id);
}

/** A cache that holds the answers that the page came with, as the hooks below keep them. */
export function cacheOf({ answers }: Served): Map<string, State> {
  return new Map(
    Object.entries(answers).map(([key, answer]) => {
      if (key.startsWith(DETAIL)) {
        return [key, { data: (answer as { product: Product | null }).product }];
      }
      if (key.startsWith(LIST)) {
        return [key, { data: { ...(answer as object), key } }];
      }
      return [key, { data: answer }];
    }),
  );
}

/** One page of the list as cards; the page before stays visible while the next loads (`isOld`). */
export function useCards(query: ProductQuery) {
  return usePage<Card>(cardsKey(query));
}

/** As `useCards`, with whole products. */
export function useProducts(query: ProductQuery) {
  return usePage<Product>(listKey(query));
}

function usePage<T>(key: string) {
  const { data, ...rest } = useSWR<ProductPage<T>>(key, (path: string) => fetched(path, fetchPage<T>), {
    keepPreviousData: true,
    revalidateIfStale: !justServed(key),
  });
  // When the next page fails, the one before would stand under the wrong heading.
  const shown = rest.error !== undefined && data?.key !== key ? undefined : data;
  return { ...rest, data: shown, isOld: shown !== undefined && shown.key !== key };
}

async function fetchPage<T>(key: string): Promise<ProductPage<T>> {
  return { ...(await request<ProductPage<T>>(key, "Failed to load products")), key };
}

/** Fetches a page of the list ahead of need. */
export function prefetchProducts(query: ProductQuery): void {
  prefetch(cardsKey(query), fetchPage);
}

/** How many products each choice of a filter would leave. */
export function useFacets(filters: ProductFilters) {
  const key = path(FACETS, filters, FILTERS);
  return useServed<Facets>(key, "Failed to count the products", { keepPreviousData: true });
}

/** One product by its `_id`; null when the page came with the answer that there is none. */
export function useProduct(id: string, options: SWRConfiguration<Product | null> = {}) {
  const key = detailKey(id);
  return useSWR<Product | null>(key, (path: string) => fetched(path, fetchProduct), {
    revalidateIfStale: !justServed(key),
    ...options,
  });
}

/** Returns what a list knows of a product, to be shown until the product is there. */
export function useKnownCard(id: string): Card | undefined {
  const { cache } = useSWRConfig();
  for (const key of cache.keys()) {
    if (key.startsWith(LIST)) {
      const page = cache.get(key)?.data as ProductPage<Card | Product> | undefined;
      const known = page?.data.find(({ _id }) => _id === id);
      if (known) {
        return "excerpt" in known ? known : cardOf(known);
      }
    }
  }
  return undefined;
}

/** Fetches a product ahead of need. */
export function prefetchProduct(id: string): void {
  prefetch(detailKey(id), fetchProduct);
}

async function fetchProduct(key: string): Promise<Product> {
  const ask = (credentials: RequestCredentials) =>
    request<{ product: Product }>(key, "Failed to load product details", { credentials });
  const answer = await ask("omit").catch((error: unknown) => {
    // Administrators see what is not to be seen yet.
    if (error instanceof ApiError && error.status === 404) {
      return ask("include");
    }
    throw error;
  });
  return answer.product;
}

/**
 * Counts a click on a product's affiliate link and shows the new count wherever
 * the product is on screen. A click that was sent already is not sent again.
 *
 * @throws {ApiError} when the click was not counted
 */
export function useRecordClick(): (id: string, sent?: Promise<number>) => Promise<number> {
  const { mutate } = useSWRConfig();
  return async (id, sent = sendClick(id)) => {
    const clicks = await sent;
    forgetAhead();
    const counted = <T extends Card | Product>(of: T) => (of._id === id ? { ...of, clicks } : of);
    await Promise.all([
      mutate<Product>(detailKey(id), (product) => product && counted(product), { revalidate: false }),
      mutate<ProductPage<Card | Product>>(
        (key) => typeof key === "string" && key.startsWith(LIST),
        (page) => page && { ...page, data: page.data.map(counted) },
        { revalidate: false },
      ),
    ]);
    return clicks;
  };
}

async function sendClick(id: string): Promise<number> {
  // Leaving the page must not cancel the count.
  const { clicks } = await request<{ clicks: number }>(clickCall(id), "product increament failed", {
    method: "POST",
    body: clickNote,
    keepalive: true,
  });
  return clicks;
}

/** What the forms send (spec section 3). */
export interface ProductInput {
  title: string;
  description: string;
  price: number;
  discount: number;
  /** NaN, which is sent as null, where it follows from the discount. */
  finalPrice: number;
  category: string;
  source: string;
  affiliateLink: string;
  images: string[];
  averageRating: number;
  totalRatings: number;
  status: string;
  /** RFC 3339, or null. */
  startsAt: string | null;
  endsAt: string | null;
  offers: unknown[];
}

/** Lets nothing be shown that was fetched before the catalogue changed. */
export function forgetCatalogue(): void {
  forgetAhead();
  forgetServed();
}

/** Adding, changing and deleting; whatever shows products is fetched again. */
export function useProductChanges() {
  const { mutate } = useSWRConfig();
  const refreshLists = () => {
    forgetCatalogue();
    return mutate((key) => typeof key === "string" && (key.startsWith(LIST) || key.startsWith(FACETS)));
  };
  return {
    async add(input: ProductInput): Promise<Product> {
      const answer = await request<{ product: Product }>(
        "/product/add-product",
        "failed to add product please try again later",
        { method: "POST", body: input },
      );
      await Promise.all([
        mutate(detailKey(answer.product._id), answer.product, { revalidate: false }),
        refreshLists(),
      ]);
      return answer.product;
    },

    /** `updatedAt` names the version that was changed; another one answers 409. */
    async update(id: string, input: ProductInput & { updatedAt: string }): Promise<Product> {
      const answer = await request<{ product: Product }>(
        `/product/update-product/${encodeURIComponent(id)}`,
        "failed to update product please try again later",
        { method: "PUT", body: { _id: id, ...input } },
      );
      await Promise.all([mutate(detailKey(id), answer.product, { revalidate: false }), refreshLists()]);
      return answer.product;
    },

    async remove(id: string): Promise<void> {
      await request<{ message: string }>(
        `/product/delete-product/${encodeURIComponent(id)}`,
        "failed to delete product please try again later",
        { method: "DELETE" },
      );
      await Promise.all([mutate(detailKey(id), undefined, { revalidate: false }), refreshLists()]);
    },
  };
}
