/** What is to be shown of a product beside its fields, and what its seller's programme holds back. */
export interface Shown {
  /** Whether its price is only to be seen at the seller's. */
  hidesPrice: boolean;
  /** To be said beside the price, like 22 Nov, 14:05. */
  asOf: string | null;
  hidesRatings: boolean;
  /** To be said beside the product. */
  disclosure: string;
  /** What is paid with its offers. */
  effective?: string;
  /** When it ends, where that is soon, like Ends today 23:59. */
  ends?: string;
  /** What its former prices tell. */
  badge?: string;
  /** Why it is in no list. */
  told?: string;
}
