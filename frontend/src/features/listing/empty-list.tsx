import type { ProductPage } from "../../api/products/list";
import type { ProductQuery } from "../../api/products/query";
import { count } from "../../lib/rupees";
import {
  changed,
  feedRelation,
  followAddress,
  isUnfiltered,
  listAddress,
  listBase,
} from "../../product/list-state";
import { PicksStrip } from "../../product/picks-strip";
import { collectionPath, useCategoryPath } from "../../shop/categories";
import { useShop } from "../../shop/shop";
import {
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
        <Named search={search ?? ""} />
        <Relaxed query={read} meta={meta} />
        <div className="notice-actions">
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
          <ButtonAnchor href={followAddress(read)} rel={feedRelation(read)}>
            {followSearch}
          </ButtonAnchor>
        </div>
      </Notice>
      <PicksStrip isShown={query.page === 1} />
    </>
  );
}

/** Links to the collections and categories whose names have a word of the search. */
function Named({ search }: { search: string }) {
  const { categories, collections = [] } = useShop();
  const categoryPath = useCategoryPath();
  const words = search.toLowerCase().split(/\s+/);
  const hasWord = (name: string) =>
    words.some((word) => word.length > 2 && ` ${name.toLowerCase()}`.includes(` ${word}`));
  const links = [
    ...collections.map(({ name, slug }) => ({ name, path: collectionPath(slug) })),
    ...categories.map(({ name }) => ({ name, path: categoryPath(name) })),
  ].filter(({ name }) => hasWord(name));
  return links.map(({ name, path }) => (
    <p key={path}>
      <Link to={path} className="link">
        {name}
      </Link>
    </p>
  ));
}
