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
  place?: "seen" | "below";
}

export function Strip({ heading, all, allLabel, products, place }: StripProps) {
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
        {products.map((product) => (
          <li key={product._id}>
            <Mini product={product} isQuiet={areNew(products)} {...(place && { place })} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface MiniProps {
  product: Tile & Partial<Pick<Card, "ratings">>;
  place?: "seen" | "below";
  /** Without the verdict's words. */
  isQuiet?: boolean;
}

/** A deal in short. */
export function Mini({ product, place = "below", isQuiet }: MiniProps) {
  const off = product.shown?.hidesPrice || isDoubted(product) ? 0 : 1 - product.finalPrice / product.price;
  return (
    <Link to={paths.details(product._id)} className="mini">
      <StagedPicture
        product={product}
        id={product._id}
        src={product.image}
        alt=""
        place={place}
        sizes={IN_CARD}
        isQuiet={isQuiet}
        isSaid
      />
      <span className="clamp-2">{product.title}</span>
      <span className="price">
        <Price product={product} isShort />
        {product.verdict?.less ? (
          <b>{product.verdict.less}</b>
        ) : (
          off > 0 && <span className="off">{fill(lessPercent, { percent: percent(off * 100) })}</span>
        )}
      </span>
      <Where product={product} />
      {!isQuiet && product.verdict && <span className="sr-only">{product.verdict.words}</span>}
    </Link>
  );
}
