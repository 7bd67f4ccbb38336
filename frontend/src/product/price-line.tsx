import type { Card, Tile } from "../api/types";
import { percent, rupees, saved, shortRupees } from "../lib/rupees";
import {
  asOf,
  belowListPrice,
  lessPercent,
  notRated,
  rating,
  ratingOutOfFive,
  reviewsCount,
  seePriceOn,
} from "../texts/en.json";
import { fill } from "../texts/fill";
import { plural } from "../texts/plural";
import { isCheaper, isDoubted } from "./card/floor";

type Priced = Pick<Tile, "source" | "price" | "finalPrice" | "shown" | "verdict"> &
  Pick<Card, "discount" | "state">;

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

interface PriceProps {
  product: Parameters<typeof priceText>[0];
  /** Leaves out zero paise. */
  isShort?: boolean;
}

/** The final price with small paise, or a hint to the seller if it is hidden. */
export function Price({ product, isShort }: PriceProps) {
  const text = priceText(product);
  const point = text.lastIndexOf(".");
  const paise = text.slice(point);
  return product.shown?.hidesPrice ? (
    <span className="see-price">{text}</span>
  ) : (
    <span>
      {text.slice(0, point)}
      {!(isShort && paise === ".00") && <small>{paise}</small>}
    </span>
  );
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
      <Price product={product} />
      {isReduced(product) && <s>{rupees(product.price)}</s>}
      {isReduced(product) && !large && !isDoubted(product) && (
        <span className={product.verdict && isCheaper(product.verdict) ? "off save" : "off"}>
          {fill(lessPercent, { percent: percent(product.discount) })}
        </span>
      )}
      {product.shown?.asOf && !product.shown.hidesPrice && !large && (
        <small>{fill(asOf, { when: product.shown.asOf })}</small>
      )}
    </p>
  );
}

/** Saving below the list price, if the price history does not speak against it. */
export function SavingLine({ product }: { product: Priced }) {
  return (
    isReduced(product) &&
    !isDoubted(product) && (
      <p className="seen">
        {fill(belowListPrice, { amount: shortRupees(saved(product)), percent: percent(product.discount) })}
      </p>
    )
  );
}

/** A seller, and how its product is rated. */
export function Where({
  product,
}: {
  product: Pick<Card, "source" | "shown"> & Partial<Pick<Card, "ratings">>;
}) {
  const { source, ratings, shown } = product;
  const words = ratings ? ratingLine({ ratings, ...(shown && { shown }) }) : "";
  return (
    <span className="where">
      <b>{source}</b>
      {words !== "" && <span>{words}</span>}
    </span>
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
