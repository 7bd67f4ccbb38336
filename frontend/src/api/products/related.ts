import type { Alike, Facets, Home, PriceHistory } from "../types";
import { useCall } from "../use-call";
import { facetsPath, type ProductFilters } from "./query";

const FAILURE = "Failed to load products";

/** Returns the number of products that each choice of a filter would leave. */
export function useFacets(filters: ProductFilters) {
  return useCall<Facets>(facetsPath(filters), "Failed to count the products", { keepPreviousData: true });
}

export function useHome(wanted: boolean) {
  return useCall<Home>(wanted ? "/product/home" : null, FAILURE);
}

export function useAlike(id: string) {
  return useCall<Alike>(`/product/alike/${encodeURIComponent(id)}`, FAILURE);
}

export function usePriceHistory(id: string) {
  return useCall<PriceHistory>(`/product/price-history/${encodeURIComponent(id)}`, FAILURE);
}
