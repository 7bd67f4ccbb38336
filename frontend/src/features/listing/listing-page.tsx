import { useRef } from "react";
import { useProducts } from "../../api/products";
import { count } from "../../lib/rupees";
import { CategoryList, CategorySelect, SortControls } from "../../product/filters";
import { useListState } from "../../product/list-state";
import { Pager } from "../../product/pager";
import { SearchBox } from "../../product/search-box";
import { Results } from "./results";

export function ListingPage() {
  const state = useListState();
  const { query, setFilters } = state;
  const products = useProducts(query);
  const total = products.data?.meta.total;
  const title = useRef<HTMLHeadingElement>(null);
  const turnTo = (page: number) => {
    state.setPage(page);
    // As on a new page: reading begins at the top, and the arrow keys work.
    title.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <title>{pageTitle(query)}</title>
      <div className="sticky top-0 z-30 -mx-4 bg-paper px-4 py-2 wide:static wide:mx-0 wide:px-0 wide:pt-6">
        <SearchBox value={query.search ?? ""} onSearch={(search) => setFilters({ search })} />
      </div>
      <div className="wide:grid wide:grid-cols-[13.75rem_minmax(0,1fr)] wide:gap-x-8 wide:pt-4">
        <aside className="hidden wide:block">
          <CategoryList value={query.category} onChange={(category) => setFilters({ category })} />
        </aside>
        <div>
          <div className="flex flex-col-reverse gap-2 pb-2 wide:flex-row wide:items-center wide:justify-between wide:pb-4">
            <div className="flex items-baseline gap-2">
              <h1 ref={title} tabIndex={-1} className="text-base font-semibold wide:text-lg">
                {heading(query)}
              </h1>
              <p role="status" className="tabular text-sm text-ink-3">
                {total !== undefined && `${count(total)} ${total === 1 ? "deal" : "deals"}`}
              </p>
            </div>
            <div className="-mx-4 flex items-center gap-3 overflow-x-auto px-4 py-0.5 wide:mx-0 wide:overflow-visible wide:px-0">
              <div className="wide:hidden">
                <CategorySelect value={query.category} onChange={(category) => setFilters({ category })} />
              </div>
              <SortControls query={query} onChange={setFilters} />
            </div>
          </div>
          <Results query={query} products={products} onClear={state.clearFilters} onPage={turnTo} />
          {products.data && (
            <Pager page={query.page} totalPages={products.data.meta.totalPages} onPage={turnTo} />
          )}
        </div>
      </div>
    </>
  );
}

function heading({ category, search }: { category?: string; search?: string }): string {
  if (search) {
    return category ? `“${search}” in ${category}` : `“${search}”`;
  }
  return category ?? "All deals";
}

function pageTitle(query: { category?: string; search?: string; page: number }): string {
  const page = query.page > 1 ? ` · Page ${query.page}` : "";
  const filtered = query.category || query.search;
  return `${filtered ? `${heading(query)} · ` : ""}Deals${page}`;
}
