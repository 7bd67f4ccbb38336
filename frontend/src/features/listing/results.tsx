import type { ProductQuery, useProducts } from "../../api/products";
import { ProductCard, ProductCardSkeleton } from "../../product/product-card";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { Notice } from "../../ui/notice";

interface ResultsProps {
  query: ProductQuery;
  products: ReturnType<typeof useProducts>;
  onClear: () => void;
  onPage: (page: number) => void;
}

const GRID = "grid wide:grid-cols-2 wide:gap-x-6 wide:gap-y-8 full:grid-cols-3";

/** The products of the page, or what there is to say instead. */
export function Results({ query, products, onClear, onPage }: ResultsProps) {
  const { data, error, isLoading, isValidating, mutate } = products;
  const retry = (
    <Button onClick={() => void mutate()} disabled={isValidating}>
      Try again
    </Button>
  );
  if (!data) {
    return error ? (
      <Notice title="Failed to load products">
        <p className="text-sm text-ink-2">The shop did not answer. It is asked again every few seconds.</p>
        {retry}
      </Notice>
    ) : (
      <div className={GRID} aria-busy>
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
        <ul className={classNames(GRID, isLoading && "opacity-60")} aria-busy={isLoading}>
          {data.data.map((product, index) => (
            <li key={product._id} className="border-b border-line wide:border-0">
              <ProductCard product={product} eager={index < 4} />
            </li>
          ))}
        </ul>
      ) : (
        <Nothing query={query} totalPages={data.meta.totalPages} onClear={onClear} onPage={onPage} />
      )}
    </>
  );
}

interface NothingProps extends Pick<ResultsProps, "query" | "onClear" | "onPage"> {
  totalPages: number;
}

function Nothing({ query, totalPages, onClear, onPage }: NothingProps) {
  if (query.page > totalPages) {
    return (
      <Notice title={`There is no page ${query.page}.`}>
        <Button onClick={() => onPage(totalPages)}>Go to the last page</Button>
      </Notice>
    );
  }
  if (query.search || query.category) {
    return (
      <Notice title={query.search ? `No deals match “${query.search}”.` : "No deals in this category yet."}>
        <p className="text-sm text-ink-2">Try fewer or other words, or look at everything.</p>
        <Button onClick={onClear}>Clear filters</Button>
      </Notice>
    );
  }
  return (
    <Notice title="No deals yet.">
      <p className="text-sm text-ink-2">As soon as there are some, they are here.</p>
    </Notice>
  );
}
