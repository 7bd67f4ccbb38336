import type { Tile } from "./cards";
import { useServed } from "./use-served";

/** What stands above the unfiltered list. */
export interface Home {
  savings: Tile[];
  popular: Tile[];
  /** Those added within a day; none where all were. */
  newest: Tile[];
  /** How many were added within a day. */
  today: number;
  /** When something was last added or changed (RFC 3339). */
  updated: string | null;
}

/** What stands beside a product. */
export interface Alike {
  similar: Tile[];
  seller: Tile[];
  /** How many products its seller has. */
  sellerTotal: number;
  /** Where it ended: the live product with its link. */
  back?: { _id: string; words: string };
}

/** What a product cost before, and what that tells of its price. */
export interface PriceHistory {
  /** Since when it is watched; null where no prices are kept. */
  since: string | null;
  low30: number | null;
  low90: number | null;
  usual: number | null;
  /** What is said of it. */
  lines: string[];
  /** The line of its plot, of 600 by 120. */
  path: string | null;
  points: { from: string; finalPrice: number }[];
}

const HOME = "/product/home";
const ALIKE = "/product/alike/";

/** What stands above the list, where it is `wanted`. */
export function useHome(wanted: boolean) {
  return useServed<Home>(wanted ? HOME : null, "Failed to load products");
}

/** What a product cost before. */
export function usePriceHistory(id: string) {
  return useServed<PriceHistory>(
    `/product/price-history/${encodeURIComponent(id)}`,
    "Failed to load products",
  );
}

/** What stands beside a product. */
export function useAlike(id: string) {
  return useServed<Alike>(ALIKE + encodeURIComponent(id), "Failed to load products");
}
