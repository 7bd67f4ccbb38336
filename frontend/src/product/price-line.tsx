import type { Card, Tile } from "../api/types";
import { percent, rupees, saved } from "../lib/rupees";
import { notRated, rating, ratingOutOfFive, reviewsCount, seePriceOn, youSave } from "../texts/en.json";
import { fill } from "../texts/fill";
import { plural } from "../texts/plural";

type Priced = Pick<Tile, "source" | "price" | "finalPrice" | "shown"> & Pick<Card, "discount" | "state">;

/** Returns the final price, or a hint to the seller if it is hidden. */
export function priceText({
  source,
  finalPrice,
  shown,
}: Pick<Tile, "source" | "finalPrice" | "shown">): string {
  return shown?.hidesPrice ? fill(seePriceOn, { seller: source }) : rupees(finalPrice);
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
      {isReduced(product) &&
        fill(youSave, { amount: rupees(saved(product)), percent: percent(product.discount) })}
    </p>
  );
}

export function ratingLine({ ratings, shown }: Pick<Card, "ratings" | "shown">, outOfFive = false): string {
  const { averageRating, totalRatings } = ratings;
  if (shown?.hidesRatings) {
    return "";
  }
  if (averageRating <= 0) {
    return notRated;
  }
  return fill(outOfFive ? ratingOutOfFive : rating, {
    rating: averageRating.toFixed(1),
    reviews: plural(reviewsCount, totalRatings),
  });
}
