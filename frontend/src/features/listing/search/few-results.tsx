import { type ProductPage, useCards } from "../../../api/products/list";
import type { ProductQuery } from "../../../api/products/query";
import type { Card } from "../../../api/types";
import { fewDeals, nearbyDeals } from "../../../lib/constants.json";
import { areNew } from "../../../product/card/floor";
import { ProductCard } from "../../../product/card/product-card";
import { heading } from "../../../product/list/headings";
import { isUnfiltered, listAddress } from "../../../product/list-state";
import { allDeals, loosenTitle } from "../../../texts/en.json";
import { Link } from "../../../ui/link";
import { near } from "./as-read";
import { Relaxed } from "./relaxed";

/** Returns true if filters found so few deals that each is shown large. */
export function areFew(query: ProductQuery, { total }: ProductPage["meta"]): boolean {
  return query.page === 1 && total <= fewDeals && !isUnfiltered(query);
}

interface FewResultsProps {
  query: ProductQuery;
  meta: ProductPage["meta"];
  products: readonly Card[];
  first: Card;
}

/** Below a few deals: filters to remove, and others of the category at such prices. */
export function FewResults({ query, meta, products, first }: FewResultsProps) {
  const nearby = near(query, meta, first);
  const { data } = useCards(nearby);
  const others = (data?.data ?? []).filter(({ _id }) => !products.some((product) => product._id === _id));
  return (
    <div className="few-more">
      {(meta.relaxed || meta.shorter) && (
        <section className="notice">
          <h2 className="notice-title">{loosenTitle}</h2>
          <Relaxed query={query} meta={meta} />
        </section>
      )}
      {others.length > 0 && (
        <section>
          <div className="head">
            <h2>{heading(nearby)}</h2>
            <Link to={listAddress(nearby)} rel="nofollow">
              {allDeals}
            </Link>
          </div>
          <ul className="cards">
            {others.slice(0, nearbyDeals).map((product, index) => (
              <li key={product._id}>
                <ProductCard product={product} number={products.length + index} isNew={areNew(others)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
