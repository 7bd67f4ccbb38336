import type { Shown } from "./shown";

/** A product in short: above the list, and beside one product. */
export interface Tile {
  _id: string;
  title: string;
  /** The first picture; empty without one. */
  image: string;
  category: string;
  source: string;
  /** Rupees before the discount. */
  price: number;
  /** Rupees to pay. */
  finalPrice: number;
  clicks: number;
  shown?: Shown;
}

/** A product as a list shows it: not enough to fill a form, or to show all of its page. */
export interface Card extends Tile {
  /** The beginning of the description. */
  excerpt: string;
  /** Percent, 0 to 100. */
  discount: number;
  affiliateLink: string;
  ratings: { averageRating: number; totalRatings: number };
  /** The state by its times; missing where it is live. */
  state?: "live" | "scheduled" | "ended" | "draft";
}
