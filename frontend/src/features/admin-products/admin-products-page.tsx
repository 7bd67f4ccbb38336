import plus from "icon:plus";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useDuplicates, useNeeding } from "../../api/office/overview";
import { useProducts } from "../../api/products/list";
import type { Product } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { counted } from "../../lib/rupees";
import { listParameters, useListState } from "../../product/list-state";
import { PasteLink } from "../../product/office/paste-link";
import { type Done, useRowChanges } from "../../product/office/row-changes";
import { Pager } from "../../product/pager";
import { Button, ButtonLink } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { BulkBar } from "./bulk/bulk-bar";
import { type Choice, chosen, NOTHING, toggled } from "./bulk/choice";
import { DuplicateGroups } from "./duplicates/duplicate-groups";
import { LinkGroups } from "./duplicates/link-groups";
import { EmptyProducts } from "./empty-products";
import { Filters } from "./filters";
import { OverReports } from "./over-reports";
import { PictureCheck } from "./picture-check";
import { ProductTable } from "./product-table";
import type { Sorting } from "./sort-header";
import { VIEWS, Views } from "./views";

const PAGE_SIZE = 50;

/** The view of the address, with what it shows. */
function useView() {
  const { query, setFilters, setPage } = useListState(PAGE_SIZE);
  const [parameters, setParameters] = useSearchParams();
  const view = VIEWS.find(({ value }) => value === parameters.get("view"))?.value ?? null;
  const grouped = view === "duplicates";
  const plain = useProducts(query);
  const linked = view === "same-link";
  const needing = useNeeding(grouped || linked ? null : view, query.page);
  const groups = useDuplicates(grouped ? query.page : null);
  const products = view === null ? plain : needing;
  const shown = grouped ? groups : products;
  const rows = grouped ? undefined : products.data?.data;
  const last = shown.data?.meta.totalPages ?? query.page;
  useEffect(() => {
    // A change may have emptied the last page.
    if (view !== null && query.page > last) {
      setParameters({ view, page: String(last) }, { replace: true });
    }
  }, [view, query.page, last, setParameters]);
  const turnTo = (page: number) =>
    view === null ? setPage(page) : setParameters({ view, page: String(page) });
  return { query, setFilters, turnTo, view, grouped, linked, needing, groups, shown, rows };
}

/** The chosen products of a list; another list clears the selection. */
function useChoice(list: string, rows: Product[] | undefined) {
  const [{ of, choice }, setChoice] = useState({ of: list, choice: NOTHING });
  const current = of === list ? choice : NOTHING;
  const choose = (next: Choice) => setChoice({ of: list, choice: next });
  const here = rows?.filter(({ _id }) => current.titles.has(_id)).length ?? 0;
  const elsewhere = current.all === null ? current.titles.size - here : chosen(current) - (rows?.length ?? 0);
  return { current, choose, elsewhere };
}

export function AdminProductsPage() {
  const { query, setFilters, turnTo, view, grouped, linked, needing, groups, shown, rows } = useView();
  const { data, error, mutate, isLoading } = shown;
  const isEmpty = data?.meta.total === 0;
  const list = view ?? new URLSearchParams(listParameters({ ...query, page: 1 })).toString();
  const { current, choose, elsewhere } = useChoice(list, rows);
  const [done, setDone] = useState<Done>();
  const { sortBy, order } = query;
  const onSort: Sorting["onSort"] = (sortBy, order) => setFilters({ sortBy, order });
  const changes = useRowChanges(setDone);
  const { edit, act, keepCheapest } = changes;
  return (
    <OfficeScreen
      title="Products"
      note={
        <span role="status" className="tabular">
          {data &&
            (grouped
              ? counted(data.meta.total, "group", "groups")
              : counted(data.meta.total, "product", "products"))}
        </span>
      }
      actions={<Actions />}
    >
      <PasteLink />
      <Views view={view} state={view === null ? query.state : undefined} />
      {view === null && <Filters query={query} onChange={setFilters} />}
      {error && !data ? (
        <Notice title="Failed to load products">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      ) : (
        rows &&
        view !== "over" &&
        !isEmpty && (
          <ProductTable
            products={rows}
            choice={current}
            onChoose={choose}
            sorting={view === null ? { sortBy, order, onSort } : undefined}
            onEdit={edit}
            onAction={(product, action) => void act(product, action)}
          />
        )
      )}
      {view === "over" && rows && !isEmpty && (
        <OverReports products={rows} reports={needing.data?.overReports ?? {}} changes={changes} />
      )}
      {groups.data && !isEmpty && (
        <DuplicateGroups
          groups={groups.data.data}
          onKeep={(product, others) => void keepCheapest(product, others)}
        />
      )}
      {linked && <LinkGroups onKeep={(product, others) => void keepCheapest(product, others)} />}
      {view === "pictures" && !isEmpty && <PictureCheck products={rows} />}
      {isEmpty && !isLoading && (
        <EmptyProducts view={view} query={query} tooNew={needing.data?.tooNew ?? 0} onClear={setFilters} />
      )}
      <BulkBar
        choice={current}
        elsewhere={elsewhere}
        total={view === null ? data?.meta.total : undefined}
        onAll={() =>
          data && choose({ ...toggled(NOTHING, rows ?? [], true), all: { list, total: data.meta.total } })
        }
        onClear={() => choose(NOTHING)}
        done={done}
        onDone={setDone}
      />
      {data && !isEmpty && (
        <Pager
          page={Math.min(query.page, data.meta.totalPages)}
          totalPages={data.meta.totalPages}
          onPage={turnTo}
        />
      )}
    </OfficeScreen>
  );
}

function Actions() {
  return (
    <>
      <ButtonLink to={office.files}>Export</ButtonLink>
      <ButtonLink to={paths.addProduct} variant="primary">
        <Icon of={plus} />
        Add product
      </ButtonLink>
    </>
  );
}
