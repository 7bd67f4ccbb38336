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
  alsoWords,
  applyButton,
  dealsCount,
  feedOfList,
  filtersTitle,
  quoted,
  titlePage,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { plural } from "../../texts/plural";
import { Button, ButtonAnchor } from "../../ui/button";
import { HiddenFields } from "../../ui/form/hidden-fields";
import { ActiveFilters } from "./active-filters";
import { EmptyShop } from "./empty-shop";
import { FilterPanel, setInPanel } from "./filter-panel";
import { heading, priceRange } from "./headings";
import { CategoryTiles, HomeTop } from "./home";
import { NewSince } from "./new-since";
import { Results } from "./results";
import { SortTabs } from "./sort-tabs";

// Loaded on demand, on phones only.
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
  const set = setInPanel(query);
  return (
    <>
      <title>{pageTitle(query, name)}</title>
      {isHome && <HomeTop facets={facets} home={home} />}
      <div className="list">
        {filtering ? (
          <Suspense fallback={panel}>
            <FilterSheet total={total} onClose={() => setFiltering(false)}>
              {panel}
            </FilterSheet>
          </Suspense>
        ) : (
          panel
        )}
        <div>
          <div className="list-head">
            <div className="list-title">
              {isHome ? (
                <h2 ref={title} tabIndex={-1}>
                  {heading(query)}
                </h2>
              ) : (
                <h1 ref={title} tabIndex={-1}>
                  {heading(query)}
                </h1>
              )}
              <p role="status">{meta && `${plural(dealsCount, meta.total)}${understood(meta)}`}</p>
              <NewSince query={query} products={products.data?.data ?? []} />
            </div>
            <SortTabs query={query} facets={facets} />
            <form
              action={paths.listing}
              autoComplete="off"
              className="list-sort"
              onSubmit={(event) => event.preventDefault()}
            >
              <HiddenFields fields={listParameters(changed(query, { sortBy: "", order: "" }))} />
              <Button
                aria-haspopup="dialog"
                onClick={() => setFiltering(true)}
                className="phone-only needs-script"
              >
                {filtersTitle}
                {set > 0 && <span className="badge">{set}</span>}
              </Button>
              <SortControls query={query} onChange={setFilters} />
              <div className="no-script">
                <Button type="submit">{applyButton}</Button>
              </div>
            </form>
          </div>
          <ActiveFilters query={query} />
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
                  {feedOfList}
                </ButtonAnchor>
              )}
            </>
          )}
        </div>
      </div>
      {isHome && <CategoryTiles facets={facets} home={home} />}
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
