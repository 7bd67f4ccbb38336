import type { useCards } from "../../api/products/list";
import type { ProductQuery } from "../../api/products/query";
import { areNew } from "../../product/card/floor";
import { ProductCard, ProductCardSkeleton } from "../../product/card/product-card";
import { listFailed, loading, retryButton, triesAgain } from "../../texts/en.json";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { Notice } from "../../ui/notice";
import { EmptyList } from "./empty-list";
import { areFew } from "./search/few-results";

interface ResultsProps {
  query: ProductQuery;
  /** The query as the server read its search. */
  read: ProductQuery;
  products: ReturnType<typeof useCards>;
  /** Picks are above, and seen first. */
  isBelow: boolean;
  onClear: () => void;
}

export function Results({ query, read, products, isBelow, onClear }: ResultsProps) {
  const { data, error, isOld, isValidating, mutate } = products;
  const retry = (
    <Button onClick={() => void mutate()} disabled={isValidating}>
      {retryButton}
    </Button>
  );
  if (!data) {
    return error ? (
      <Notice title={listFailed}>
        <p className="hint">{triesAgain}</p>
        {retry}
      </Notice>
    ) : (
      <>
        <p role="status" className="sr-only">
          {loading}
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
  const isFew = areFew(read, data.meta);
  return (
    <>
      {error && (
        <div role="alert" className="mb-4 flex items-center justify-between gap-4 border-y border-line py-2">
          <p className="text-sm text-danger">{listFailed}</p>
          {retry}
        </div>
      )}
      {data.data.length > 0 ? (
        <ul
          className={classNames("cards", isFew && "few", isOld && "opacity-60")}
          aria-busy={isOld || undefined}
        >
          {data.data.map((product, index) => (
            <li key={product._id}>
              <ProductCard
                product={product}
                number={index}
                isFirst={index === 0 && !isBelow}
                matches={data.meta.matches}
                isNew={areNew(data.data)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyList query={query} read={read} meta={data.meta} onClear={onClear} />
      )}
    </>
  );
}
