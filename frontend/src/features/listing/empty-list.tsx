import type { ProductPage } from "../../api/products/list";
import type { ProductQuery } from "../../api/products/query";
import { useHome } from "../../api/products/related";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { changed, listAddress, without } from "../../product/list-state";
import { Strip } from "../../product/strip";
import {
  allDeals,
  clearFilters,
  dealsCount,
  didYouMean,
  noDealsMatch,
  noDealsMatchSearch,
  noSuchPage,
  toLastPage,
  withoutFilter,
} from "../../texts/en.json";
import { around, fill } from "../../texts/fill";
import { plural } from "../../texts/plural";
import { Button, ButtonLink } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { filterLabels } from "./filter-labels";
import { picksHeading } from "./headings";

interface EmptyListProps {
  query: ProductQuery;
  meta: ProductPage["meta"];
  onClear: () => void;
}

export function EmptyList({ query, meta, onClear }: EmptyListProps) {
  const { search } = query;
  const { data: home } = useHome(query.page === 1);
  if (query.page > meta.totalPages) {
    return (
      <Notice title={fill(noSuchPage, { page: count(query.page) })}>
        <ButtonLink to={listAddress({ ...query, page: meta.totalPages })}>{toLastPage}</ButtonLink>
      </Notice>
    );
  }
  const [before, after] = around(didYouMean);
  const labels = Object.fromEntries(filterLabels(query));
  return (
    <>
      <Notice title={search ? fill(noDealsMatchSearch, { search }) : noDealsMatch}>
        {meta.suggestion && (
          <p>
            {before}
            <Link to={listAddress(changed(query, { search: meta.suggestion }))} className="link">
              {meta.suggestion}
            </Link>
            {after}
          </p>
        )}
        {meta.relaxed && (
          <ul className="relaxed">
            {meta.relaxed.map(({ without: name, total }) => (
              <li key={name}>
                <Link to={listAddress(without(query, name))} className="link">
                  {fill(withoutFilter, { filter: labels[name] ?? "", deals: plural(dealsCount, total) })}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <form action="/">
          <Button
            type="submit"
            onClick={(event) => {
              event.preventDefault();
              onClear();
            }}
          >
            {clearFilters}
          </Button>
        </form>
      </Notice>
      {home && (
        <Strip heading={picksHeading(home)} all={paths.listing} allLabel={allDeals} products={home.picks} />
      )}
    </>
  );
}
