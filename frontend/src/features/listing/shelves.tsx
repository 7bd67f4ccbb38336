// Mirrored by src/http/pages/list/shelves.rs

import type { ReactNode } from "react";
import type { Facets, Home, Tile } from "../../api/types";
import { maxSellers, minForShelves, shelf } from "../../lib/constants.json";
import { day } from "../../lib/day";
import { paths } from "../../lib/paths";
import { count, counted, rupees, saved } from "../../lib/rupees";
import { priceText } from "../../product/price-line";
import { ProductPicture } from "../../product/product-picture";
import { useShop } from "../../shop/shop";
import { Link } from "../../ui/link";

/** Above the unfiltered list: a line about the shop, and short ranked lists. */
export function Shelves({ facets, home }: { facets: Facets; home: Home }) {
  const { tagline } = useShop();
  const sellers = facets.sources.length;
  const clicked = home.popular.filter(({ clicks }) => clicks > 0).slice(0, shelf);
  return (
    <>
      {home.updated !== null && (
        <p className="intro">
          {tagline !== "" && <strong>{tagline}</strong>}
          {[
            tagline === "" ? "" : " ",
            counted(facets.all, "deal", "deals"),
            " from ",
            sellers,
            sellers >= maxSellers ? "+" : "",
            sellers === 1 ? " seller" : " sellers",
            " · updated ",
            day(home.updated),
          ].join("")}
        </p>
      )}
      {facets.all > minForShelves && (
        <div
          className="shelves"
          data-shelves={[home.savings, clicked, home.newest].filter(({ length }) => length > 0).length}
        >
          <Shelf heading="Biggest savings" all="/?sortBy=discount" allLabel="All" products={home.savings}>
            {(product) => <span className="save">{`${rupees(saved(product))} saved`}</span>}
          </Shelf>
          <Shelf heading="Most clicked" all="/?sortBy=clicks" allLabel="All" products={clicked}>
            {(product) => <span>{counted(product.clicks, "Click", "Clicks")}</span>}
          </Shelf>
          <Shelf heading="New today" all="/" allLabel={`All ${count(home.today)}`} products={home.newest}>
            {({ source }) => <span>{source}</span>}
          </Shelf>
        </div>
      )}
    </>
  );
}

interface ShelfProps {
  heading: string;
  all: string;
  allLabel: string;
  products: readonly Tile[];
  /** Returns the line below the price. */
  children: (product: Tile) => ReactNode;
}

function Shelf({ heading, all, allLabel, products, children }: ShelfProps) {
  if (products.length === 0) {
    return null;
  }
  return (
    <section className="shelf">
      <div className="shelf-head">
        <h2>{heading}</h2>
        <Link to={all} aria-label={`${allLabel}: ${heading}`}>
          {allLabel}
        </Link>
      </div>
      <ol>
        {products.map((product) => (
          <li key={product._id}>
            <Link to={paths.details(product._id)} className="tile">
              <ProductPicture id={product._id} src={product.image} alt="" category={product.category} />
              <span className="clamp-2">{product.title}</span>
              <span className="tile-sum">
                <b>{priceText(product)}</b>
                {children(product)}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
