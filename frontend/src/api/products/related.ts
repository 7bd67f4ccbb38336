import { countFailed, listFailed, pageFailed } from "../../texts/en.json";
import type { Alike, Facets, Home, PriceHistory } from "../types";
import { useCall } from "../use-call";
import { cardFacetsPath, facetsPath, type ProductFilters, type ProductQuery, type Shelf } from "./query";

/** Returns the number of products that each choice of a filter would leave. */
export function useFacets(filters: ProductFilters) {
  return useCall<Facets>(facetsPath(filters), countFailed, { keepPreviousData: true });
}

/** Like `useFacets`, for the filters of a page of cards. */
export function useCardFacets(query: ProductQuery) {
  return useCall<Facets>(cardFacetsPath(query), countFailed, { keepPreviousData: true });
}

export function useHome(wanted: boolean) {
  return useCall<Home>(wanted ? "/product/home" : null, listFailed);
}

/** Returns what the page of a category or a seller has besides its list. */
export function useShelfAnswer(kind: string | undefined, slug: string | undefined) {
  return useCall<Shelf>(kind === undefined ? null : `/product/shelf/${kind}/${slug}`, pageFailed);
}

export function useAlike(id: string) {
  return useCall<Alike>(`/product/alike/${encodeURIComponent(id)}`, listFailed);
}

export function usePriceHistory(id: string) {
  return useCall<PriceHistory>(`/product/price-history/${encodeURIComponent(id)}`, listFailed);
}
