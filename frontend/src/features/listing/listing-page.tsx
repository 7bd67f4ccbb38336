import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { type ProductPage, prefetchCards, useCards } from "../../api/products/list";
import type { ProductQuery } from "../../api/products/query";
import { useFacets, useHome } from "../../api/products/related";
import { paths } from "../../lib/paths";
import {
  changed,
  feedAddress,
  feedRelation,
  isUnfiltered,
  listAddress,
  listParameters,
  useListState,
} from "../../product/list-state";
import { Pager } from "../../product/pager";
import { SortControls } from "../../product/sort-controls";
import { useShop } from "../../shop/shop";
import {
  allDeals,
  allNew,
  alsoWords,
  applyButton,
  dealsCount,
  followSearch,
  quoted,
  titlePage,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { plural } from "../../texts/plural";
import { Button, ButtonAnchor } from "../../ui/button";
import { HiddenFields } from "../../ui/form/hidden-fields";
import { Chips } from "./chips";
import { EmptyShop } from "./empty-shop";
import { FilterPanel } from "./filter-panel";
import { heading, priceRange } from "./headings";
import { HomeTop } from "./home";
import { NewSince } from "./new-since";
import { areNew, Results } from "./results";
import { SortTabs } from "./sort-tabs";

// Loaded on demand.
const FilterSheet = lazy(() => import("./filter-sheet"));

export function ListingPage() {
  const state = useListState();
  const { query, setFilters } = state;
  const products = useCards(query);
  const { data: facets } = useFacets(query);
  const [filtering, setFiltering] = useState(false);
  const { name } = useShop();
  const meta = products.data?.meta;
  const total = products.isOld ? undefined : meta?.total;
  const totalPages = meta?.totalPages;
  const unfiltered = listAddress(query) === paths.listing;
  const { data: home } = useHome(unfiltered);
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
        <title>{pageTitle(query, name)}</title>
        <EmptyShop />
      </>
    );
  }
  const isHome = unfiltered && home !== undefined && facets !== undefined;
  const panel = <FilterPanel query={query} facets={facets} onChange={setFilters} />;
  const cards = products.data?.data ?? [];
  const Heading = isHome ? "h2" : "h1";
  return (
    <>
      <title>{pageTitle(query, name)}</title>
      {isHome && <HomeTop facets={facets} home={home} />}
      <div className="list" id="deals" tabIndex={-1}>
        <div className="head">
          <Heading ref={title} tabIndex={-1}>
            {heading(query)}
          </Heading>
          <p role="status">{meta && `${plural(dealsCount, meta.total)}${understood(meta)}`}</p>
          <NewSince query={query} products={cards} />
          {!isHome && areNew(cards) && <p>{allNew}</p>}
        </div>
        <div className="list-bar">
          <div className="row">
            <SortTabs query={query} facets={facets} />
            <form
              action={paths.listing}
              autoComplete="off"
              className="list-sort"
              onSubmit={(event) => event.preventDefault()}
            >
              <HiddenFields fields={listParameters(changed(query, { sortBy: "", order: "" }))} />
              <SortControls query={query} onChange={setFilters} />
              <div className="no-script">
                <Button type="submit">{applyButton}</Button>
              </div>
            </form>
          </div>
          <Chips query={query} facets={facets} onOpen={() => setFiltering(true)} />
        </div>
        <Results query={query} products={products} isBelow={isHome} onClear={state.clearFilters} />
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
              <ButtonAnchor href={feedAddress(query)} rel={feedRelation(query)} variant="plain">
                {followSearch}
              </ButtonAnchor>
            )}
          </>
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

/** Formats what was read in a search, like ` · up to ₹1,000.00 · also “saree”`. */
function understood({ minPriceRead, maxPriceRead, also = [] }: ProductPage["meta"]): string {
  const range = priceRange(minPriceRead, maxPriceRead);
  const words = also.map((word) => fill(quoted, { words: word })).join(", ");
  return `${range === undefined ? "" : ` · ${range}`}${words && ` · ${fill(alsoWords, { words })}`}`;
}

function pageTitle(query: ProductQuery, name: string): string {
  const page = query.page > 1 ? ` · ${fill(titlePage, { page: query.page })}` : "";
  const title = heading(query);
  return `${title === allDeals ? "" : `${title} · `}${name}${page}`;
}
