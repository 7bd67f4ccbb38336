import { Link } from "react-router-dom";
import { type Product, prefetchProduct } from "../api/products";
import { paths } from "../lib/paths";
import { count } from "../lib/rupees";
import { truncate } from "../lib/truncate";
import { ButtonLink } from "../ui/button";
import { Marked } from "../ui/marked";
import { BuyLink } from "./buy-link";
import { ForAdmins } from "./for-admins";
import { PriceLine } from "./price-line";
import { ProductPicture } from "./product-picture";

/** Characters of the description on a card (spec section 9). */
const DESCRIPTION_LENGTH = 100;

const FRAME =
  "grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 py-2.5 wide:flex wide:h-full wide:flex-col wide:gap-y-2 wide:py-0";
const PICTURE = "size-24 wide:aspect-4/3 wide:h-auto wide:w-full";

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
    <article className={`relative ${FRAME}`}>
      <ProductPicture
        src={product.images[0]}
        alt=""
        category={product.category}
        className={PICTURE}
        place={place}
      />
      <div className="flex min-w-0 flex-col gap-1 wide:flex-1">
        <h2 className="text-sm font-semibold wide:min-h-10">
          <Link {...details} id={`deal-${product._id}`} className="stretched line-clamp-2 rounded">
            <Marked text={product.title} words={matches} />
          </Link>
        </h2>
        <PriceLine product={product} />
        <p className="tabular truncate text-xs text-ink-3">
          <span aria-hidden>★ </span>
          <span className="sr-only">Rated </span>
          {[
            averageRating.toFixed(1),
            `${count(totalRatings)} ${totalRatings === 1 ? "review" : "reviews"}`,
            `${count(product.clicks)} ${product.clicks === 1 ? "Click" : "Clicks"}`,
            product.source,
          ].join(" · ")}
        </p>
        <p className="line-clamp-1 text-sm text-ink-2 max-wide:tall:line-clamp-2 wide:line-clamp-3 wide:min-h-15">
          <Marked text={truncate(product.description, DESCRIPTION_LENGTH)} words={matches} />
        </p>
      </div>
      <div className="relative col-span-2 grid grid-cols-[minmax(0,1fr)_minmax(8rem,auto)] gap-2 wide:mt-auto wide:pt-1 print:hidden">
        <BuyLink product={product} className="min-w-0" />
        <ButtonLink {...details} id={`details-${product._id}`}>
          View Details
        </ButtonLink>
      </div>
      {!preview && <ForAdmins product={product} />}
    </article>
  );
}

/** The size of a card whose words are not there yet. */
export function ProductCardSkeleton() {
  return (
    <div className={FRAME} aria-hidden>
      <div className={`pulse ${PICTURE}`} />
      <div className="flex flex-col gap-1 wide:flex-1">
        <div className="pulse h-10" />
        <div className="pulse h-7 w-2/3" />
        <div className="pulse h-4" />
        <div className="pulse h-5 wide:h-15" />
      </div>
      <div className="pulse col-span-2 h-11 wide:h-10" />
    </div>
  );
}
