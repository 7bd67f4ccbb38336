// Mirrored by src/http/pages/list/mod.rs

import type { ProductQuery, useCards } from "../../api/products";
import { count } from "../../lib/rupees";
import { listAddress } from "../../product/list-state";
import { ProductCard, ProductCardSkeleton } from "../../product/product-card";
import { Button, ButtonLink } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { Notice } from "../../ui/notice";
import { Nothing } from "./nothing";

interface ResultsProps {
  query: ProductQuery;
  products: ReturnType<typeof useCards>;
  onClear: () => void;
}

/** Cards that are seen without scrolling, on most screens. */
const SEEN = 4;

/** The products of the page, or what there is to say instead. */
export function Results({ query, products, onClear }: ResultsProps) {
  const { data, error, isOld, isValidating, mutate } = products;
  const retry = (
    <Button onClick={() => void mutate()} disabled={isValidating}>
      Retry
    </Button>
  );
  if (!data) {
    return error ? (
      <Notice title="Failed to load products">
        <p className="hint">The shop did not answer. It is asked again every few seconds.</p>
        {retry}
      </Notice>
    ) : (
      <>
        <p role="status" className="sr-only">
          Loading...
        </p>
        <ul className="cards" aria-busy>
          {Array.from({ length: query.limit }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all the same
            <li key={index}>
              <ProductCardSkeleton />
            </li>
          ))}
        </ul>
      </>
    );
  }
  return (
    <>
      {error && (
        <div role="alert" className="mb-4 flex items-center justify-between gap-4 border-y border-line py-2">
          <p className="text-sm text-danger">Failed to load products</p>
          {retry}
        </div>
      )}
      {data.data.length > 0 ? (
        <ul className={classNames("cards", isOld && "opacity-60")} aria-busy={isOld || undefined}>
          {data.data.map((product, index) => (
            <li key={product._id}>
              <ProductCard
                product={product}
                place={index < SEEN ? (index === 0 ? "first" : "seen") : "below"}
                matches={data.meta.matches}
              />
            </li>
          ))}
          {query.page < data.meta.totalPages && <NextTile query={query} />}
        </ul>
      ) : (
        <Nothing query={query} meta={data.meta} onClear={onClear} />
      )}
    </>
  );
}

/** Fills the rest of the last row where ten cards leave one. */
function NextTile({ query }: { query: ProductQuery }) {
  const next = { ...query, page: query.page + 1 };
  return (
    <li className="next-tile">
      <p>{`Page ${count(next.page)}`}</p>
      <ButtonLink to={listAddress(next)}>More deals</ButtonLink>
    </li>
  );
}
