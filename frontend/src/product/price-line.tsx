// Mirrored by src/http/pages/product.rs

import type { Card, Tile } from "../api/types";
import { counted, rupees, saved, saving } from "../lib/rupees";

type Priced = Pick<Tile, "source" | "finalPrice" | "shown">;

/** Returns the final price, or a hint to the seller if it is hidden. */
export function priceText({ source, finalPrice, shown }: Priced): string {
  return shown?.hidesPrice ? `See price on ${source}` : rupees(finalPrice);
}

/** Final price, original price and saving; the former price of an ended deal. */
export function PriceLine({
  product,
  large = false,
}: {
  product: Priced & Pick<Card, "price" | "discount" | "state">;
  large?: boolean;
}) {
  const { discount, shown } = product;
  if (product.state === "ended") {
    return <p className="price price-large">{!shown?.hidesPrice && <s>{rupees(product.finalPrice)}</s>}</p>;
  }
  return (
    <p className={large ? "price price-large" : "price"}>
      <span>{priceText(product)}</span>
      {shown?.asOf && <small>{`as of ${shown.asOf}`}</small>}
      {discount > 0 && !shown?.hidesPrice && (
        <>
          <s>{rupees(product.price)}</s>
          {large && <DiscountBadge {...product} />}
          <span className="save">{`You save ${rupees(saved(product))}`}</span>
        </>
      )}
      {shown?.effective && <b className="effective">{shown.effective}</b>}
      {shown?.badge && <b className="badge">{shown.badge}</b>}
      {shown?.ends && <b className="badge ends">{shown.ends}</b>}
    </p>
  );
}

export function DiscountBadge({ discount, shown }: Pick<Card, "discount" | "shown">) {
  return discount > 0 && !shown?.hidesPrice ? <span className="badge">{saving(discount)}</span> : null;
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
