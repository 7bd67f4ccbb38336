/** What of a product may be shown, where its seller's programme holds something back. */
export interface Shown {
  /** Whether its price is only to be seen at the seller's. */
  hidesPrice: boolean;
  /** To be said beside the price, like 22 Nov, 14:05. */
  asOf: string | null;
  hidesRatings: boolean;
  /** To be said beside the product. */
  disclosure: string;
}
