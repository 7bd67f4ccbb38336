// Mirrored by src/http/pages/listing.rs

import { type Product, prefetchProduct } from "../api/products";
import { paths } from "../lib/paths";
import { count } from "../lib/rupees";
import { truncate } from "../lib/truncate";
import { ButtonLink } from "../ui/button";
import { Link } from "../ui/link";
import { Marked } from "../ui/marked";
import { BuyLink } from "./buy-link";
import { ForAdmins } from "./for-admins";
import { PriceLine } from "./price-line";
import { ProductPicture } from "./product-picture";

/** Characters of the description on a card (spec section 9). */
const DESCRIPTION_LENGTH = 100;

interface ProductCardProps {
  product: Product;
  /** Where on the page it is when nothing is scrolled yet. */
  place: "first" | "seen" | "below";
  /** Words to mark. */
  matches?: readonly string[] | undefined;
  /** A picture of a card, for nobody to administer. */
  preview?: boolean;
}

/**
 * A product in the list: a row on a phone, a card where there is room. The title
 * and the description of a card keep the room of the longest: a later card of its row moves nothing.
 */
export function ProductCard({ product, place, matches, preview = false }: ProductCardProps) {
  const { averageRating, totalRatings } = product.ratings;
  const ahead = preview ? undefined : () => prefetchProduct(product._id);
  const details = {
    to: paths.details(product._id),
    onPointerEnter: ahead,
    onFocus: ahead,
  };
  return (
    <article className="card">
      <ProductPicture src={product.images[0]} alt="" category={product.category} place={place} />
      <div className="card-text">
        <h2>
          <Link {...details}>
            <Marked text={product.title} words={matches} />
          </Link>
        </h2>
        <PriceLine product={product} />
        <p className="rating">
          <span>Rated </span>
          {[
            averageRating.toFixed(1),
            `${count(totalRatings)} ${totalRatings === 1 ? "review" : "reviews"}`,
            `${count(product.clicks)} ${product.clicks === 1 ? "Click" : "Clicks"}`,
            product.source,
          ].join(" · ")}
        </p>
        <p className="summary">
          <Marked text={truncate(product.description, DESCRIPTION_LENGTH)} words={matches} />
        </p>
      </div>
      <div className="card-actions">
        <BuyLink product={product} />
        <ButtonLink {...details}>View Details</ButtonLink>
      </div>
      {!preview && <ForAdmins product={product} />}
    </article>
  );
}

/** The size of a card whose words are not there yet. */
export function ProductCardSkeleton() {
  return (
    <div className="card" aria-hidden>
      <div className="pulse picture" />
      <div className="card-text">
        <div className="pulse h-10" />
        <div className="pulse h-7 w-2/3" />
        <div className="pulse h-4" />
        <div className="pulse h-5 wide:h-15" />
      </div>
      <div className="pulse col-span-2 h-11 wide:h-10" />
    </div>
  );
}
