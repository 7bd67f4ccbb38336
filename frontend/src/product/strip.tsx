import type { Tile } from "../api/types";
import { paths } from "../lib/paths";
import { Link } from "../ui/link";
import { VerdictWords } from "./card/verdict";
import { priceText } from "./price-line";
import { ProductPicture } from "./product-picture";
import { Seller } from "./seller";

interface StripProps {
  heading: string;
  all: string;
  allLabel: string;
  products: readonly Tile[];
}

export function Strip({ heading, all, allLabel, products }: StripProps) {
  if (products.length === 0) {
    return null;
  }
  return (
    <section>
      <div className="strip-head">
        <h2>{heading}</h2>
        <Link to={all}>{allLabel}</Link>
      </div>
      <ul className="strip">
        {products.map((product) => (
          <li key={product._id}>
            <Link to={paths.details(product._id)} className="mini">
              <ProductPicture id={product._id} src={product.image} alt="" category={product.category} />
              <span className="clamp-2">{product.title}</span>
              <span className="price">
                <span>{priceText(product)}</span>
              </span>
              <VerdictWords product={product} />
              <Seller name={product.source} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
