// Mirrored by src/http/pages/listing.rs

import slidersHorizontal from "icon:sliders-horizontal";
import { useEffect, useRef, useState } from "react";
import { type ProductQuery, prefetchProducts, useFacets, useProducts } from "../../api/products";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { changed, listParameters, useListState } from "../../product/list-state";
import { Pager } from "../../product/pager";
import { SearchBox } from "../../product/search-box";
import { CategorySelect, SortControls } from "../../product/sort-controls";
import { Button } from "../../ui/button";
import { HiddenFields } from "../../ui/form/hidden-fields";
import { Icon } from "../../ui/icon";
import { ActiveFilters } from "./active-filters";
import { FILTER_PANEL, FilterPanel } from "./filter-panel";
import { Results } from "./results";

export function ListingPage() {
  const state = useListState();
  const { query, setFilters } = state;
  const products = useProducts(query);
  const { data: facets } = useFacets(query);
  const [filtering, setFiltering] = useState(false);
  const total = products.data?.meta.total;
  const totalPages = products.data?.meta.totalPages;
  const title = useRef<HTMLHeadingElement>(null);
  useNextPage(query, totalPages);
  const turnTo = (page: number) => {
    state.setPage(page);
    // As on a new page: reading begins at the top, and the arrow keys work.
    title.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <title>{pageTitle(query)}</title>
      <div className="search-bar">
        <SearchBox
          value={query.search ?? ""}
          onSearch={(search) => setFilters({ search })}
          others={listParameters(changed(query, { search: "" }))}
        />
      </div>
      <div className="list">
        <FilterPanel query={query} facets={facets} open={filtering} onChange={setFilters} />
        <div>
          <div className="list-head">
            <div className="list-title">
              <h1 ref={title} tabIndex={-1}>
                {heading(query)}
              </h1>
              <p role="status">
                {total !== undefined && `${count(total)} ${total === 1 ? "deal" : "deals"}`}
              </p>
            </div>
            <form
              action={paths.listing}
              autoComplete="off"
              className="list-sort"
              onSubmit={(event) => event.preventDefault()}
            >
              <HiddenFields
                fields={listParameters(changed(query, { category: "", sortBy: "", order: "" }))}
              />
              <Button
                aria-expanded={filtering}
                aria-controls={FILTER_PANEL}
                onClick={() => setFiltering(!filtering)}
                className="filters-btn phone-only needs-script"
              >
                <Icon of={slidersHorizontal} />
                Filters
              </Button>
              <div className="phone-only">
                <CategorySelect value={query.category} onChange={(category) => setFilters({ category })} />
              </div>
              <SortControls query={query} onChange={setFilters} />
              <div className="no-script">
                <Button type="submit">Apply</Button>
              </div>
            </form>
          </div>
          <ActiveFilters query={query} />
          <Results query={query} products={products} onClear={state.clearFilters} />
          {totalPages !== undefined && (
            <Pager
              page={query.page}
              totalPages={totalPages}
              onPage={turnTo}
              others={listParameters({ ...query, page: 1 })}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** Fetches the next page while nothing else is to do. */
function useNextPage(query: ProductQuery, totalPages: number | undefined): void {
  const next = totalPages !== undefined && query.page < totalPages ? query.page + 1 : undefined;
  useEffect(() => {
    if (next === undefined || !("requestIdleCallback" in window)) {
      return;
    }
    const idle = window.requestIdleCallback(() => prefetchProducts({ ...query, page: next }));
    return () => window.cancelIdleCallback(idle);
  }, [query, next]);
}

function heading({ category, search }: { category?: string; search?: string }): string {
  if (search) {
    return category ? `“${search}” in ${category}` : `“${search}”`;
  }
  return category ?? "All deals";
}

function pageTitle(query: ProductQuery): string {
  const page = query.page > 1 ? ` · Page ${query.page}` : "";
  const filtered = query.category || query.search;
  return `${filtered ? `${heading(query)} · ` : ""}Deals${page}`;
}
