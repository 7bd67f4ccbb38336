// Mirrored by src/http/pages/list/mod.rs

import slidersHorizontal from "icon:sliders-horizontal";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { type ProductPage, prefetchCards, useCards } from "../../api/products/list";
import type { ProductQuery } from "../../api/products/query";
import { useFacets, useHome } from "../../api/products/related";
import { paths } from "../../lib/paths";
import { counted, rupees } from "../../lib/rupees";
import { changed, isUnfiltered, listAddress, listParameters, useListState } from "../../product/list-state";
import { Pager } from "../../product/pager";
import { SortControls } from "../../product/sort-controls";
import { useShop } from "../../shop/shop";
import { Button } from "../../ui/button";
import { HiddenFields } from "../../ui/form/hidden-fields";
import { Icon } from "../../ui/icon";
import { ActiveFilters } from "./active-filters";
import { EmptyShop } from "./empty-shop";
import { FilterPanel, setInPanel } from "./filter-panel";
import { Results } from "./results";
import { Shelves } from "./shelves";

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
  const turnTo = (page: number) => {
    state.setPage(page);
    // As on a new page: the focus is at the top, and the arrow keys work.
    title.current?.focus({ preventScroll: true });
  };
  if (total === 0 && query.page === 1 && isUnfiltered(query)) {
    return (
      <>
        <title>{pageTitle(query, name)}</title>
        <EmptyShop />
      </>
    );
  }
  const panel = <FilterPanel query={query} facets={facets} onChange={setFilters} />;
  const set = setInPanel(query);
  return (
    <>
      <title>{pageTitle(query, name)}</title>
      {unfiltered && home && facets && <Shelves facets={facets} home={home} />}
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
              <h1 ref={title} tabIndex={-1}>
                {heading(query)}
              </h1>
              <p role="status">{meta && `${counted(meta.total, "deal", "deals")}${understood(meta)}`}</p>
            </div>
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
                className="filters-btn phone-only needs-script"
              >
                <Icon of={slidersHorizontal} />
                Filters
                {set > 0 && <span className="badge">{set}</span>}
              </Button>
              <SortControls query={query} onChange={setFilters} />
              <div className="no-script">
                <Button type="submit">Apply</Button>
              </div>
            </form>
          </div>
          <ActiveFilters query={query} />
          <Results query={query} products={products} onClear={state.clearFilters} />
          {meta !== undefined && query.page <= meta.totalPages && meta.total > 0 && (
            <Pager
              page={query.page}
              totalPages={meta.totalPages}
              onPage={turnTo}
              others={listParameters({ ...query, page: 1 })}
            />
          )}
        </div>
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

function heading({ category, search }: { category?: string; search?: string }): string {
  if (search) {
    return category ? `“${search}” in ${category}` : `“${search}”`;
  }
  return category ?? "All deals";
}

/** Formats the price that was read in a search, like ` · up to ₹1,000.00`. */
function understood({ minPriceRead, maxPriceRead }: ProductPage["meta"]): string {
  if (minPriceRead !== undefined && maxPriceRead !== undefined) {
    return ` · ${rupees(minPriceRead)} to ${rupees(maxPriceRead)}`;
  }
  if (minPriceRead !== undefined) {
    return ` · from ${rupees(minPriceRead)}`;
  }
  return maxPriceRead === undefined ? "" : ` · up to ${rupees(maxPriceRead)}`;
}

function pageTitle(query: ProductQuery, name: string): string {
  const page = query.page > 1 ? ` · Page ${query.page}` : "";
  const filtered = query.category || query.search;
  return `${filtered ? `${heading(query)} · ` : ""}${name}${page}`;
}
