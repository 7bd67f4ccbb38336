import type { Card, Tile } from "../api/types";
import { paths } from "../lib/paths";
import { percent } from "../lib/rupees";
import { lessPercent } from "../texts/en.json";
import { fill } from "../texts/fill";
import { Link } from "../ui/link";
import { IN_CARD } from "../ui/picture";
import { areNew, isDoubted, StagedPicture } from "./card/floor";
import { Price, Where } from "./price-line";

interface StripProps {
  heading: string;
  all: string | undefined;
  allLabel: string;
  products: readonly Tile[];
  /** It is the first of its page. */
  isFirst?: boolean;
}

export function Strip({ heading, all, allLabel, products, isFirst = false }: StripProps) {
  if (products.length === 0) {
    return null;
  }
  return (
    <section>
      <div className="head">
        <h2>{heading}</h2>
        {all !== undefined && <Link to={all}>{allLabel}</Link>}
      </div>
      <ul className="strip">
        {products.map((product, at) => (
          <li key={product._id}>
            <Mini product={product} isQuiet={areNew(products)} isFirst={isFirst && at === 0} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface MiniProps {
  product: Tile & Partial<Pick<Card, "ratings">>;
  isFirst?: boolean;
  /** Without the verdict's words. */
  isQuiet?: boolean;
}

/** A deal in short. */
export function Mini({ product, isFirst = false, isQuiet }: MiniProps) {
  return (
    <Link to={paths.details(product._id)} className="mini">
      <StagedPicture
        product={product}
        id={product._id}
        src={product.image}
        alt=""
        isFirst={isFirst}
        sizes={IN_CARD}
        isQuiet={isQuiet}
        isSaid
      />
      <span className="clamp-2">{product.title}</span>
      <span className="price">
        <Price product={product} isShort />
        <Less product={product} />
      </span>
      <Where product={product} />
      {!isQuiet && product.verdict && <span className="sr-only">{product.verdict.words}</span>}
    </Link>
  );
}

/** Amount below the usual price of a deal or, without one, percentage below its list price. */
export function Less({ product }: { product: Tile }) {
  const { verdict, shown, finalPrice, price } = product;
  const off = shown?.hidesPrice || isDoubted(product) ? 0 : 1 - finalPrice / price;
  if (verdict?.less) {
    return <b>{verdict.less}</b>;
  }
  return off > 0 && <span className="off">{fill(lessPercent, { percent: percent(off * 100) })}</span>;
}
