import { useState } from "react";
import { CATEGORIES, useProducts } from "../../api/products";
import { paths } from "../../lib/paths";
import { counted } from "../../lib/rupees";
import { listParameters, useListState } from "../../product/list-state";
import { Pager } from "../../product/pager";
import { SearchBox } from "../../product/search-box";
import { SortControls } from "../../product/sort-controls";
import { Button, ButtonAnchor, ButtonLink } from "../../ui/button";
import { Select } from "../../ui/form/select";
import { Notice } from "../../ui/notice";
import { Screen } from "../../ui/screen";
import { BulkBar } from "./bulk-bar";
import { ImportPanel } from "./import-panel";
import { ProductTable } from "./product-table";

const PAGE_SIZE = 50;
const CHOICES = [{ value: "", label: "All" }, ...CATEGORIES.map((name) => ({ value: name, label: name }))];

/** Every product in a table, to be changed one by one or many at once. */
export function AdminProductsPage() {
  const { query, setFilters, setPage } = useListState(PAGE_SIZE);
  const { data, error, mutate } = useProducts(query);
  // What is chosen belongs to what is listed: another list has nothing chosen.
  const list = new URLSearchParams(listParameters({ ...query, page: 1 })).toString();
  const [{ of, chosen }, setChoice] = useState({
    of: list,
    chosen: new Set<string>() as ReadonlySet<string>,
  });
  const current = of === list ? chosen : new Set<string>();
  const choose = (next: ReadonlySet<string>) => setChoice({ of: list, chosen: next });
  const here = data?.data.filter(({ _id }) => current.has(_id)).length ?? 0;
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
        <ButtonLink to={paths.adminReports}>Reports</ButtonLink>
        <ButtonLink to={paths.adminActivity}>Activity</ButtonLink>
        <ButtonLink to={paths.adminSettings}>Settings</ButtonLink>
      </div>
      <ImportPanel />
      <div className="flex max-w-[44rem] flex-col gap-3">
        <SearchBox
          id="product-search"
          label="Search products"
          value={query.search ?? ""}
          onSearch={(search) => setFilters({ search })}
        />
        <div className="grid grid-cols-1 gap-2 mid:grid-cols-3">
          <Select
            id="category"
            name="category"
            label="Category"
            value={query.category ?? ""}
            options={CHOICES}
            onChange={(category) => setFilters({ category })}
          />
          <SortControls query={query} onChange={setFilters} />
        </div>
        <p role="status" className="tabular text-sm text-ink-3">
          {data && counted(data.meta.total, "product", "products")}
        </p>
      </div>
      {error && !data ? (
        <Notice title="Failed to load products">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      ) : (
        data && <ProductTable products={data.data} chosen={current} onChoose={choose} />
      )}
      <BulkBar chosen={current} elsewhere={current.size - here} onDone={() => choose(new Set())} />
      {data && <Pager page={query.page} totalPages={data.meta.totalPages} onPage={setPage} />}
    </Screen>
  );
}
