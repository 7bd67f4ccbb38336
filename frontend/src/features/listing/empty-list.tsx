import type { ProductPage } from "../../api/products/list";
import type { ProductQuery } from "../../api/products/query";
import { useHome } from "../../api/products/related";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { picksHeading } from "../../product/home";
import {
  changed,
  feedRelation,
  followAddress,
  isUnfiltered,
  listAddress,
  listBase,
} from "../../product/list-state";
import { Strip } from "../../product/strip";
import {
  allDeals,
  clearFilters,
  didYouMean,
  followSearch,
  noDealsMatch,
  noDealsMatchSearch,
  noSuchPage,
  seeAllDeals,
  toLastPage,
} from "../../texts/en.json";
import { around, fill } from "../../texts/fill";
import { Button, ButtonAnchor, ButtonLink } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { Relaxed } from "./search/relaxed";

interface EmptyListProps {
  query: ProductQuery;
  /** The query as the server read its search. */
  read: ProductQuery;
  meta: ProductPage["meta"];
  onClear: () => void;
}

export function EmptyList({ query, read, meta, onClear }: EmptyListProps) {
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
        <Relaxed query={read} meta={meta} />
        <form action={listBase(query)}>
          <Button
            type="submit"
            onClick={(event) => {
              event.preventDefault();
              onClear();
            }}
          >
            {isUnfiltered(changed(read, { search: "" })) ? seeAllDeals : clearFilters}
          </Button>
        </form>
        <ButtonAnchor href={followAddress(read)} rel={feedRelation(read)} variant="plain">
          {followSearch}
        </ButtonAnchor>
      </Notice>
      {home && (
        <Strip heading={picksHeading(home)} all={paths.listing} allLabel={allDeals} products={home.picks} />
      )}
    </>
  );
}
