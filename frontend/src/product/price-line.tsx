// Mirrored by src/http/pages/product.rs

import type { Card, Tile } from "../api/types";
import { counted, percent, rupees, saved } from "../lib/rupees";

type Priced = Pick<Tile, "source" | "price" | "finalPrice" | "shown"> & Pick<Card, "discount" | "state">;

/** Returns the final price, or a hint to the seller if it is hidden. */
export function priceText({
  source,
  finalPrice,
  shown,
}: Pick<Tile, "source" | "finalPrice" | "shown">): string {
  return shown?.hidesPrice ? `See price on ${source}` : rupees(finalPrice);
}

function isReduced({ discount, shown, state }: Priced): boolean {
  return discount > 0 && !shown?.hidesPrice && state !== "ended";
}

/** Final price and struck original; the former price of an ended deal. */
export function PriceLine({ product, large = false }: { product: Priced; large?: boolean }) {
  if (product.state === "ended") {
    return (
      <p className="price price-large">{!product.shown?.hidesPrice && <s>{rupees(product.finalPrice)}</s>}</p>
    );
  }
  return (
    <p className={large ? "price price-large" : "price"}>
      <span>{priceText(product)}</span>
      {isReduced(product) && <s>{rupees(product.price)}</s>}
    </p>
  );
}

/** Saving below the list price; an empty line on a card without a discount. */
export function SavingLine({ product }: { product: Priced }) {
  return (
    <p className="save">
      {isReduced(product) && `You save ${rupees(saved(product))} · −${percent(product.discount)}`}
    </p>
  );
}

export function ratingLine({ ratings, shown }: Pick<Card, "ratings" | "shown">, outOf = ""): string {
  const { averageRating, totalRatings } = ratings;
  if (shown?.hidesRatings) {
    return "";
  }
  if (averageRating <= 0) {
    return "Not rated yet";
  }
  return `★ ${averageRating.toFixed(1)}${outOf} · ${counted(totalRatings, "review", "reviews")}`;
}
