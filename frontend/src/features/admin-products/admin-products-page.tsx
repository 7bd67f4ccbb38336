import { useState } from "react";
import { useProducts } from "../../api/products";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { useListState } from "../../product/list-state";
import { Pager } from "../../product/pager";
import { SearchBox } from "../../product/search-box";
import { CategorySelect, SortControls } from "../../product/sort-controls";
import { Button, ButtonAnchor, ButtonLink } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { Screen } from "../../ui/screen";
import { BulkBar } from "./bulk-bar";
import { ImportPanel } from "./import-panel";
import { ProductTable } from "./product-table";

const PAGE_SIZE = 50;
/** Every product in a table, to be changed one by one or many at once. */
export function AdminProductsPage() {
  const { query, setFilters, setPage } = useListState(PAGE_SIZE);
  const { data, error, mutate } = useProducts(query);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return (
    <Screen title="Manage products">
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={paths.addProduct} look="primary">
          Add product
        </ButtonLink>
        <ButtonAnchor href="/product/export?format=json" download>
          Export JSON
        </ButtonAnchor>
        <ButtonAnchor href="/product/export?format=csv" download>
          Export CSV
        </ButtonAnchor>
        <ButtonLink to={paths.adminActivity}>Activity</ButtonLink>
      </div>
      <ImportPanel />
      <SearchBox value={query.search ?? ""} onSearch={(search) => setFilters({ search })} />
      <div className="flex flex-wrap items-center gap-3">
        <CategorySelect value={query.category} onChange={(category) => setFilters({ category })} />
        <SortControls query={query} onChange={setFilters} />
        <p role="status" className="tabular text-sm text-ink-3">
          {data && `${count(data.meta.total)} ${data.meta.total === 1 ? "product" : "products"}`}
        </p>
      </div>
      <BulkBar chosen={chosen} onDone={() => setChosen(new Set())} />
      {error && !data ? (
        <Notice title="Failed to load products">
          <Button onClick={() => void mutate()}>Try again</Button>
        </Notice>
      ) : (
        data && <ProductTable products={data.data} chosen={chosen} onChoose={setChosen} />
      )}
      {data && <Pager page={query.page} totalPages={data.meta.totalPages} onPage={setPage} />}
    </Screen>
  );
}
