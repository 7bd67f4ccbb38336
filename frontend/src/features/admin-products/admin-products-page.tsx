import plus from "icon:plus";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useNeeding } from "../../api/office/overview";
import { useProducts } from "../../api/products/list";
import { CATEGORIES } from "../../api/products/query";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { counted } from "../../lib/rupees";
import { listParameters, useListState } from "../../product/list-state";
import { type Done, useRowChanges } from "../../product/office/row-changes";
import { Pager } from "../../product/pager";
import { SearchBox } from "../../product/search-box";
import { Button, ButtonLink } from "../../ui/button";
import { Select } from "../../ui/form/select";
import { Icon } from "../../ui/icon";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { BulkBar } from "./bulk-bar";
import { type Choice, chosen, NOTHING, toggled } from "./choice";
import { EmptyProducts } from "./empty-products";
import { PictureCheck } from "./picture-check";
import { ProductTable } from "./product-table";
import { VIEWS, Views } from "./views";

const PAGE_SIZE = 50;
const CHOICES = [
  { value: "", label: "All categories" },
  ...CATEGORIES.map((name) => ({ value: name, label: name })),
];

export function AdminProductsPage() {
  const { query, setFilters, setPage } = useListState(PAGE_SIZE);
  const [parameters, setParameters] = useSearchParams();
  const view = VIEWS.find(({ value }) => value === parameters.get("view"))?.value ?? null;
  const plain = useProducts(query);
  const needing = useNeeding(view, query.page);
  const { data, error, mutate, isLoading } = view === null ? plain : needing;
  const isEmpty = data?.meta.total === 0;
  // Another list clears the selection.
  const list = view ?? new URLSearchParams(listParameters({ ...query, page: 1 })).toString();
  const [{ of, choice }, setChoice] = useState({ of: list, choice: NOTHING });
  const [done, setDone] = useState<Done>();
  const current = of === list ? choice : NOTHING;
  const choose = (next: Choice) => setChoice({ of: list, choice: next });
  const here = data?.data.filter(({ _id }) => current.titles.has(_id)).length ?? 0;
  const elsewhere =
    current.all === null ? current.titles.size - here : chosen(current) - (data?.data.length ?? 0);
  const { edit, act } = useRowChanges(setDone);
  const last = data?.meta.totalPages ?? query.page;
  useEffect(() => {
    // A change may have emptied the last page.
    if (view !== null && query.page > last) {
      setParameters({ view, page: String(last) }, { replace: true });
    }
  }, [view, query.page, last, setParameters]);
  return (
    <OfficeScreen
      title="Products"
      note={
        <span role="status" className="tabular">
          {data && counted(data.meta.total, "product", "products")}
        </span>
      }
      actions={
        <>
          <ButtonLink to={office.files}>Export</ButtonLink>
          <ButtonLink to={paths.addProduct} variant="primary">
            <Icon of={plus} />
            Add product
          </ButtonLink>
        </>
      }
    >
      <Views view={view} state={view === null ? query.state : undefined} />
      {view === null && (
        <div className="tools">
          <SearchBox
            id="product-search"
            label="Search products"
            value={query.search ?? ""}
            onSearch={(search) => setFilters({ search })}
          />
          <Select
            id="category"
            name="category"
            label="Category"
            value={query.category ?? ""}
            options={CHOICES}
            onChange={(category) => setFilters({ category })}
          />
          {query.source !== undefined && (
            <Button onClick={() => setFilters({ source: "" })}>Only {query.source} ✕</Button>
          )}
        </div>
      )}
      {error && !data ? (
        <Notice title="Failed to load products">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      ) : (
        data &&
        !isEmpty && (
          <ProductTable
            products={data.data}
            choice={current}
            onChoose={choose}
            sorting={
              view === null
                ? {
                    sortBy: query.sortBy,
                    order: query.order,
                    onSort: (sortBy, order) => setFilters({ sortBy, order }),
                  }
                : undefined
            }
            onEdit={edit}
            onAction={(product, action) => void act(product, action)}
          />
        )
      )}
      {view === "pictures" && !isEmpty && <PictureCheck products={data?.data} />}
      {isEmpty && !isLoading && (
        <EmptyProducts view={view} query={query} tooNew={needing.data?.tooNew ?? 0} onClear={setFilters} />
      )}
      <BulkBar
        choice={current}
        elsewhere={elsewhere}
        total={view === null ? data?.meta.total : undefined}
        onAll={() =>
          data && choose({ ...toggled(NOTHING, data.data, true), all: { list, total: data.meta.total } })
        }
        onClear={() => choose(NOTHING)}
        done={done}
        onDone={setDone}
      />
      {data && !isEmpty && (
        <Pager
          page={Math.min(query.page, data.meta.totalPages)}
          totalPages={data.meta.totalPages}
          onPage={(page) => (view === null ? setPage(page) : setParameters({ view, page: String(page) }))}
        />
      )}
    </OfficeScreen>
  );
}
