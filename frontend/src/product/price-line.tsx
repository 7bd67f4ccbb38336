// Mirrored by src/http/pages/product.rs

import type { Product } from "../api/products";
import { counted, rupees, saved, saving } from "../lib/rupees";

/** The final price first; the original one, struck, and the saving when discounted. */
export function PriceLine({ product, large = false }: { product: Product; large?: boolean }) {
  const discounted = product.discount > 0;
  return (
    <p className={large ? "price price-large" : "price"}>
      <span>{rupees(product.finalPrice)}</span>
      {discounted && (
        <>
          <s>{rupees(product.price)}</s>
          {large && <DiscountBadge discount={product.discount} />}
          <span className="save">{`You save ${rupees(saved(product))}`}</span>
        </>
      )}
    </p>
  );
}

export function DiscountBadge({ discount }: { discount: number }) {
  return discount > 0 ? <span className="badge">{saving(discount)}</span> : null;
}

/** How many people rated a product how well, if any did. */
export function ratingLine({ averageRating, totalRatings }: Product["ratings"], outOf = ""): string {
  if (averageRating <= 0) {
    return "Not rated yet";
  }
  return `★ ${averageRating.toFixed(1)}${outOf} · ${counted(totalRatings, "review", "reviews")}`;
}
