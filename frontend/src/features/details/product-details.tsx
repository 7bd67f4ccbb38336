// Mirrored by src/http/pages/details.rs

import type { ReactNode } from "react";
import { useNavigate } from "react-router-dom";
import type { Product } from "../../api/products";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { BuyLink } from "../../product/buy-link";
import { Disclosure } from "../../product/disclosure";
import { ForAdmins } from "../../product/for-admins";
import { PriceLine } from "../../product/price-line";
import { Gallery } from "./gallery";
import { ShareButton } from "./share-button";

// The shop's own time zone, so that the server and every browser name the same day.
const DATE = new Intl.DateTimeFormat("en-IN", { dateStyle: "long", timeZone: "Asia/Kolkata" });

export function ProductDetails({ product }: { product: Product }) {
  const { averageRating, totalRatings } = product.ratings;
  const navigate = useNavigate();
  return (
    <article className="product">
      <title>{`${product.title} · Deals`}</title>
      <Gallery key={product._id} product={product} />
      <div className="product-text">
        <h1 tabIndex={-1}>{product.title}</h1>
        <p className="product-rating">
          {`${averageRating.toFixed(1)} out of 5 · ${count(totalRatings)} ${totalRatings === 1 ? "review" : "reviews"}`}
        </p>
        <PriceLine product={product} large />
        <div className="buy-bar">
          <BuyLink product={product} />
          <ShareButton title={product.title} />
        </div>
        <Disclosure />
        <p className="printed-link">{product.affiliateLink}</p>
        <ForAdmins product={product} onDeleted={() => navigate(paths.listing)} />
        <section className="description">
          <h2>Description</h2>
          <p>{product.description}</p>
        </section>
        <dl className="facts">
          <Fact name="Category">{product.category}</Fact>
          <Fact name="Source">{product.source}</Fact>
          <Fact name="Rating">{`${averageRating.toFixed(1)} out of 5`}</Fact>
          <Fact name="Reviews">{count(totalRatings)}</Fact>
          <Fact name={product.clicks === 1 ? "Click" : "Clicks"}>{count(product.clicks)}</Fact>
          <Fact name="Added">
            <time dateTime={product.createdAt}>{DATE.format(new Date(product.createdAt))}</time>
          </Fact>
        </dl>
      </div>
    </article>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
