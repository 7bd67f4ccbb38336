import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { type ProductPage, prefetchCards, useCards } from "../../api/products/list";
import type { ProductQuery } from "../../api/products/query";
import { useCardFacets, useHome } from "../../api/products/related";
import { fewDeals } from "../../lib/constants.json";
import { paths } from "../../lib/paths";
import { areNew } from "../../product/card/floor";
import { HomeTop } from "../../product/home";
import { heading } from "../../product/list/headings";
import {
  changed,
  feedRelation,
  followAddress,
  isUnfiltered,
  listAddress,
  listBase,
  listParameters,
  useListState,
  useShelf,
} from "../../product/list-state";
import { Pager } from "../../product/pager";
import { SortControls } from "../../product/sort-controls";
import { UnloadedPage } from "../../product/unloaded-page";
import { useCollectionName } from "../../shop/categories";
import { useShop } from "../../shop/shop";
import {
  allDeals,
  allNew,
  alsoWords,
  applyButton,
  dealsCount,
  dealsInstead,
  followAllDeals,
  followSearch,
  nothingFoundFor,
  onlyMentioned,
  quoted,
  searchExactly,
  titlePage,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { plural } from "../../texts/plural";
import { Button, ButtonAnchor } from "../../ui/button";
import { HiddenFields } from "../../ui/form/hidden-fields";
import { Link } from "../../ui/link";
import { Chips } from "./chips";
import { EmptyShop } from "./empty-shop";
import { FilterPanel } from "./filter-panel";
import { NewSince } from "./new-since";
import { Results } from "./results";
import { asRead } from "./search/as-read";
import { areFew, FewResults } from "./search/few-results";
import { ShelfText, ShelfTop } from "./shelf";

// Loaded on demand.
const FilterSheet = lazy(() => import("./filter-sheet"));

/** The list, or one with an address of its own: of a category or a seller. */
export function ListPage() {
  const { isShelf, shelf, error } = useShelf();
  if (shelf || !isShelf) {
    return <ListingPage />;
  }
  return <UnloadedPage error={error} />;
}

function ListingPage() {
  const state = useListState();
  const { query } = state;
  const products = useCards(query);
  const meta = products.data?.meta;
  const read = asRead(query, products.isOld ? undefined : meta);
  const setFilters = (filters: Parameters<typeof changed>[1]) => state.setFilters(filters, read);
  const { data: facets } = useCardFacets(query);
  const [filtering, setFiltering] = useState(false);
  const { name } = useShop();
  const total = products.isOld ? undefined : meta?.total;
  const totalPages = meta?.totalPages;
  const unfiltered = listAddress(query) === paths.listing;
  const { data: home } = useHome(unfiltered);
  const collection = useCollectionName(query.collection);
  const title = useRef<HTMLHeadingElement>(null);
  useNextPage(query, totalPages);
  const hasTurned = useRef(false);
  const turnTo = (page: number) => {
    hasTurned.current = true;
    state.setPage(page);
  };
  useEffect(() => {
    // As on a new page: the focus is at the top, and the arrow keys work.
    if (hasTurned.current && query.page > 0) {
      hasTurned.current = false;
      title.current?.focus({ preventScroll: true });
    }
  }, [query.page]);
  if (total === 0 && query.page === 1 && isUnfiltered(query)) {
    return (
      <>
        <title>{pageTitle(read, name, collection)}</title>
        <EmptyShop />
      </>
    );
  }
  const isHome = unfiltered && home !== undefined && facets !== undefined;
  const panel = <FilterPanel query={read} facets={facets} onChange={setFilters} />;
  const cards = products.data?.data ?? [];
  const [first] = cards;
  const Heading = isHome ? "h2" : "h1";
  return (
    <>
      <title>{pageTitle(read, name, collection)}</title>
      {isHome && <HomeTop facets={facets} home={home} />}
      <div className="list" id="deals" tabIndex={-1}>
        {query.shelf && <ShelfTop shelf={query.shelf} />}
        <div className="head">
          <Heading ref={title} tabIndex={-1}>
            {heading(read, collection)}
          </Heading>
          <p role="status">{meta && `${plural(dealsCount, meta.total)}${also(meta)}`}</p>
          {meta?.mentioned && <p>{fill(onlyMentioned, { word: meta.mentioned })}</p>}
          {query.shelf && <ShelfText shelf={query.shelf} />}
          <NewSince query={query} products={cards} />
          {total !== undefined && <Corrected query={query} meta={meta} />}
          {!isHome && cards.length > fewDeals && areNew(cards) && <p>{allNew}</p>}
        </div>
        <div className="list-bar">
          <form
            action={listBase(read)}
            autoComplete="off"
            className="list-sort"
            onSubmit={(event) => event.preventDefault()}
          >
            <HiddenFields fields={listParameters(changed(read, { sortBy: "", order: "" }))} />
            <SortControls query={read} onChange={setFilters} />
            <div className="no-script">
              <Button type="submit">{applyButton}</Button>
            </div>
          </form>
          <Chips query={read} facets={facets} onOpen={() => setFiltering(true)} />
        </div>
        <Results
          query={query}
          read={read}
          products={products}
          isBelow={isHome}
          onClear={state.clearFilters}
        />
        {meta !== undefined && query.page <= meta.totalPages && meta.total > 0 && (
          <>
            <Pager
              page={query.page}
              totalPages={meta.totalPages}
              onPage={turnTo}
              address={(page) => listAddress({ ...query, page })}
              others={listParameters({ ...query, page: 1 })}
            />
            {query.page === 1 && (
              <ButtonAnchor href={followAddress(read)} rel={feedRelation(read)} variant="plain">
                {isUnfiltered(read) ? followAllDeals : followSearch}
              </ButtonAnchor>
            )}
          </>
        )}
        {meta && first && total !== undefined && areFew(read, meta) && (
          <FewResults query={read} meta={meta} products={cards} first={first} />
        )}
        {filtering ? (
          <Suspense fallback={panel}>
            <FilterSheet total={total} onClose={() => setFiltering(false)}>
              {panel}
            </FilterSheet>
          </Suspense>
        ) : (
          panel
        )}
      </div>
    </>
  );
}

/** Prefetches the next page when the browser is idle. */
function useNextPage(query: ProductQuery, totalPages: number | undefined): void {
  const next = totalPages !== undefined && query.page < totalPages ? query.page + 1 : undefined;
  useEffect(() => {
    if (next === undefined || !("requestIdleCallback" in window)) {
      return;
    }
    const idle = window.requestIdleCallback(() => prefetchCards({ ...query, page: next }));
    return () => window.cancelIdleCallback(idle);
  }, [query, next]);
}

/** Formats the other words that were searched for, like ` · also “saree”`. */
function also({ also = [] }: ProductPage["meta"]): string {
  const words = also.map((word) => fill(quoted, { words: word })).join(", ");
  return words && ` · ${fill(alsoWords, { words })}`;
}

/** Says that the deals are those of the suggestion, with the way back. */
function Corrected({ query, meta }: { query: ProductQuery; meta: ProductPage["meta"] | undefined }) {
  const { search = "" } = query;
  if (!meta?.suggestion || meta.total === 0) {
    return null;
  }
  return (
    <p role="status">
      {`${fill(nothingFoundFor, { search })} ${fill(dealsInstead, { search: meta.suggestion })} `}
      <Link to={listAddress(changed(query, { exact: "true" }))} rel="nofollow" className="link">
        {fill(searchExactly, { search })}
      </Link>
    </p>
  );
}

function pageTitle(query: ProductQuery, name: string, collection: string | undefined): string {
  const page = query.page > 1 ? ` · ${fill(titlePage, { page: query.page })}` : "";
  const title = heading(query, collection);
  return `${title === allDeals ? "" : `${title} · `}${name}${page}`;
}
