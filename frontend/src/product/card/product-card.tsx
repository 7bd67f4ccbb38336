import { prefetchProduct } from "../../api/products/product";
import type { Card } from "../../api/types";
import { paths } from "../../lib/paths";
import { clicksCount, viewDetails } from "../../texts/en.json";
import { plural } from "../../texts/plural";
import { ButtonLink } from "../../ui/button";
import { Link } from "../../ui/link";
import { Marked } from "../../ui/marked";
import { BuyLink, idOf, nameOf } from "../buy-link";
import { ForAdmins } from "../for-admins";
import { PriceLine, ratingLine, SavingLine } from "../price-line";
import { ProductPicture } from "../product-picture";
import { SaveButton } from "../save-button";
import { Age } from "./age";
import { VerdictLine } from "./verdict";

interface ProductCardProps {
  product: Card;
  /** Place on the page, for ids; a preview has none. */
  number?: number;
  /** Position on the page before scrolling. */
  place: "first" | "seen" | "below";
  matches?: readonly string[] | undefined;
  /** A preview has no buttons and prefetches nothing. */
  preview?: boolean;
}

/** A product in the list: a row on phones, elsewhere a card aligned with its neighbours. */
export function ProductCard({ product, number, place, matches, preview = false }: ProductCardProps) {
  const ahead = preview ? undefined : () => prefetchProduct(product._id);
  const details = {
    to: paths.details(product._id),
    onPointerEnter: ahead,
    onFocus: ahead,
  };
  const { shown } = product;
  return (
    <article className="card">
      <ProductPicture
        id={preview ? undefined : product._id}
        src={product.image}
        alt=""
        category={product.category}
        place={place}
      />
      <h2 id={idOf("t", number)}>
        <Link {...details}>
          <Marked text={product.title} words={matches} />
        </Link>
      </h2>
      <PriceLine product={product} />
      <SavingLine product={product} />
      <VerdictLine product={product} />
      <p className="meta">
        <b>{product.source}</b>
        {ratingLine(product)}
      </p>
      <p className="age">
        <span>{plural(clicksCount, product.clicks)}</span>
        {shown?.ends ? (
          <EndsSoon words={shown.ends} />
        ) : (
          <Age of={product.publishedAt ?? product.createdAt} />
        )}
      </p>
      <p className="summary">
        {shown?.effective && (
          <>
            <b>{shown.effective}</b>
            <br />
          </>
        )}
        <Marked text={product.excerpt} words={matches} />
      </p>
      <div className="card-actions">
        <BuyLink product={product} number={number} />
        <ButtonLink id={idOf("v", number)} aria-labelledby={nameOf("v", number)} {...details}>
          {viewDetails}
        </ButtonLink>
        {!preview && <ForAdmins product={product} />}
      </div>
      {!preview && <SaveButton product={product} />}
    </article>
  );
}

function EndsSoon({ words }: { words: string }) {
  return (
    <>
      {" · "}
      <b>{words}</b>
    </>
  );
}

/** Height of each line of a card. */
const LINES = Object.entries({
  title: "h-10",
  price: "h-7",
  saving: "h-4 mid:h-5",
  verdict: "h-5",
  seller: "h-4 mid:h-9",
  age: "h-4",
  summary: "h-10 mid:h-11",
  actions: "h-13 wide:h-24",
});

export function ProductCardSkeleton() {
  return (
    <div className="card" aria-hidden>
      <div className="pulse picture" />
      {LINES.map(([line, height]) => (
        <div key={line} className={`pulse ${height}`} />
      ))}
    </div>
  );
}
