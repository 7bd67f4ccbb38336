// Mirrored by src/http/pages/listing.rs

import type { ProductQuery, useProducts } from "../../api/products";
import { changed, listAddress } from "../../product/list-state";
import { ProductCard, ProductCardSkeleton } from "../../product/product-card";
import { Button, ButtonLink } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";

interface ResultsProps {
  query: ProductQuery;
  products: ReturnType<typeof useProducts>;
  onClear: () => void;
}

/** Cards that are seen without scrolling, on most screens. */
const SEEN = 4;

/** The products of the page, or what there is to say instead. */
export function Results({ query, products, onClear }: ResultsProps) {
  const { data, error, isOld, isValidating, mutate } = products;
  const retry = (
    <Button onClick={() => void mutate()} disabled={isValidating}>
      Try again
    </Button>
  );
  if (!data) {
    return error ? (
      <Notice title="Failed to load products">
        <p className="hint">The shop did not answer. It is asked again every few seconds.</p>
        {retry}
      </Notice>
    ) : (
      <div className="cards" aria-busy>
        <p role="status" className="sr-only">
          Loading...
        </p>
        {Array.from({ length: query.limit }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all the same
          <ProductCardSkeleton key={index} />
        ))}
      </div>
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
        </ul>
      ) : (
        <Nothing query={query} meta={data.meta} onClear={onClear} />
      )}
    </>
  );
}

interface NothingProps extends Pick<ResultsProps, "query" | "onClear"> {
  meta: { totalPages: number; suggestion?: string };
}

function Nothing({ query, meta, onClear }: NothingProps) {
  const { search } = query;
  if (query.page > meta.totalPages) {
    return (
      <Notice title={`There is no page ${query.page}.`}>
        <ButtonLink to={listAddress({ ...query, page: meta.totalPages })}>Go to the last page</ButtonLink>
      </Notice>
    );
  }
  // What an address without any filter would show.
  const filtered = listAddress(changed(query, { sortBy: "", order: "" })) !== "/";
  if (!filtered) {
    return (
      <Notice title="No deals yet.">
        <p className="hint">As soon as there are some, they are here.</p>
      </Notice>
    );
  }
  return (
    <Notice title={search ? `No deals match “${search}”.` : "No deals match these filters."}>
      {meta.suggestion && (
        <p>
          {"Did you mean "}
          <Link to={listAddress(changed(query, { search: meta.suggestion }))} className="link">
            {meta.suggestion}
          </Link>
          ?
        </p>
      )}
      <p className="hint">Try fewer or other words, or look at everything.</p>
      <form action="/">
        <Button
          type="submit"
          onClick={(event) => {
            event.preventDefault();
            onClear();
          }}
        >
          Clear filters
        </Button>
      </form>
    </Notice>
  );
}
