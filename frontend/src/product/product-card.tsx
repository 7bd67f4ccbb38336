// Mirrored by src/http/pages/product.rs

import { prefetchProduct } from "../api/products/product";
import type { Card } from "../api/types";
import { paths } from "../lib/paths";
import { counted } from "../lib/rupees";
import { ButtonLink } from "../ui/button";
import { Link } from "../ui/link";
import { Marked } from "../ui/marked";
import { BuyLink } from "./buy-link";
import { ForAdmins } from "./for-admins";
import { DiscountBadge, PriceLine, ratingLine } from "./price-line";
import { ProductPicture } from "./product-picture";
import { SaveButton } from "./save-button";
import { Seller } from "./seller";

interface ProductCardProps {
  product: Card;
  /** Position on the page before scrolling. */
  place: "first" | "seen" | "below";
  matches?: readonly string[] | undefined;
  /** A preview has no buttons and prefetches nothing. */
  preview?: boolean;
}

/** A product in the list: a row on phones, elsewhere a card aligned with its neighbours. */
export function ProductCard({ product, place, matches, preview = false }: ProductCardProps) {
  const ahead = preview ? undefined : () => prefetchProduct(product._id);
  const details = {
    to: paths.details(product._id),
    onPointerEnter: ahead,
    onFocus: ahead,
  };
  return (
    <article className="card">
      <ProductPicture id={product._id} src={product.image} alt="" category={product.category} place={place} />
      <DiscountBadge {...product} />
      <h2>
        <Link {...details}>
          <Marked text={product.title} words={matches} />
        </Link>
      </h2>
      <PriceLine product={product} />
      <p className="rating">{ratingLine(product)}</p>
      <p className="meta">
        <Seller name={product.source} />
        <span className={product.clicks === 0 ? "meta-none" : undefined}>
          {counted(product.clicks, "Click", "Clicks")}
        </span>
      </p>
      <p className="summary">
        <Marked text={product.excerpt} words={matches} />
      </p>
      <div className="card-actions">
        <BuyLink product={product} />
        <ButtonLink variant="plain" {...details}>
          View Details
        </ButtonLink>
        {!preview && <SaveButton product={product} />}
        {!preview && <ForAdmins product={product} />}
      </div>
    </article>
  );
}

export function ProductCardSkeleton() {
  return (
    <div className="card" aria-hidden>
      <div className="pulse picture" />
      {["h-10", "h-12", "h-4", "h-5", "h-10", "h-24"].map((height) => (
        <div key={height} className={`pulse ${height}`} />
      ))}
    </div>
  );
}
