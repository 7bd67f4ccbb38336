import { Fragment } from "react";
import { prefetchProduct } from "../../api/products/product";
import type { Card } from "../../api/types";
import { paths } from "../../lib/paths";
import { clicksCount, viewDetails } from "../../texts/en.json";
import { plural } from "../../texts/plural";
import { Link } from "../../ui/link";
import { Marked } from "../../ui/marked";
import { IN_CARD } from "../../ui/picture";
import { BuyLink, idOf, nameOf } from "../buy-link";
import { ForAdmins } from "../for-admins";
import { PriceLine, Where } from "../price-line";
import { SaveButton } from "../save-button";
import { Age } from "./age";
import { StagedPicture } from "./floor";

interface ProductCardProps {
  product: Card;
  /** Place on the page, for ids; a preview has none. */
  number?: number;
  /** Position on the page before scrolling. */
  isFirst?: boolean;
  matches?: readonly string[] | undefined;
  /** All cards of the page are new here, which is said once. */
  isNew?: boolean;
  /** A preview has no buttons and prefetches nothing. */
  preview?: boolean;
}

/** A product in the list, aligned with its neighbours. */
export function ProductCard({
  product,
  number,
  isFirst = false,
  matches,
  isNew,
  preview = false,
}: ProductCardProps) {
  const ahead = preview ? undefined : () => prefetchProduct(product._id);
  const details = {
    to: paths.details(product._id),
    onPointerEnter: ahead,
    onFocus: ahead,
  };
  const { shown, excerpt, repeated = 0 } = product;
  return (
    <article className="card">
      <StagedPicture
        product={product}
        id={preview ? undefined : product._id}
        src={product.image}
        alt=""
        isFirst={isFirst}
        sizes={IN_CARD}
        isQuiet={isNew}
      >
        {shown?.ends && (
          <b className="ends-soon">
            <span>{shown.ends}</span>
          </b>
        )}
      </StagedPicture>
      <h2 id={idOf("t", number)}>
        <Link {...details}>
          <Marked text={product.title} words={matches} />
        </Link>
      </h2>
      <PriceLine product={product} />
      <Where product={product} />
      <p className="summary">
        {[product.version, shown?.effective].map(
          (words) =>
            words && (
              <Fragment key={words}>
                <b>{words}</b>{" "}
              </Fragment>
            ),
        )}
        {repeated > 0 && <span className="sr-only">{excerpt.slice(0, repeated)}</span>}
        <Marked text={excerpt.slice(repeated)} words={matches} />
      </p>
      <div className="card-actions">
        <BuyLink product={product} number={number} />
        <p className="foot">
          <span>
            <span>{plural(clicksCount, product.clicks)}</span>
            <Age of={product.publishedAt ?? product.createdAt} />
          </span>
          <Link id={idOf("v", number)} aria-labelledby={nameOf("v", number)} {...details}>
            {viewDetails}
          </Link>
        </p>
        {!preview && <ForAdmins product={product} />}
      </div>
      {!preview && <SaveButton product={product} />}
    </article>
  );
}

/** A card's frame and lines, each of its height. */
export function ProductCardSkeleton() {
  return (
    <div className="card" aria-hidden>
      <div className="pulse picture" />
      <div className="pulse price h-11 mid:h-7" />
      <div className="pulse h-10" />
      <div className="pulse where h-5" />
      <div className="pulse summary h-4.5" />
      <div className="card-actions">
        <div className="pulse mb-11 h-11 wide:mb-10 wide:h-10" />
      </div>
    </div>
  );
}
