import plus from "icon:plus";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { useDuplicates, useNeeding, useToCheck } from "../../api/office/overview";
import { useProducts } from "../../api/products/list";
import { office } from "../../lib/office-paths";
import { FROM_OFFICE, paths } from "../../lib/paths";
import { counted } from "../../lib/rupees";
import { listParameters, useListState } from "../../product/list-state";
import { DealButton } from "../../product/office/deal-row";
import { type Done, useRowChanges } from "../../product/office/row-changes";
import { Pager } from "../../product/pager";
import { ButtonLink } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { NotLoaded } from "../../ui/loaded";
import { OfficeScreen } from "../../ui/office-screen";
import { Added } from "./added";
import { Ask } from "./ask/ask";
import { BulkBar } from "./bulk/bulk-bar";
import { type Choice, chosen, NOTHING, toggled } from "./bulk/choice";
import { DuplicateGroups } from "./duplicates/duplicate-groups";
import { LinkGroups } from "./duplicates/link-groups";
import { EmptyProducts } from "./empty-products";
import { OverReports } from "./over-reports";
import { PictureCheck } from "./picture-check";
import { ProductTable } from "./product-table";
import { Views } from "./views";

const PAGE_SIZE = 50;
/** Views with a screen of their own; the others are filters of the list. */
const OWN_VIEWS = ["over", "duplicates", "same-link"];

/** Needs of a list that one press meets. */
const ACTS: Record<string, "price" | "ending" | undefined> = { "old-price": "price", ending: "ending" };

export function AdminProductsPage() {
  const { query, setFilters, setPage } = useListState(PAGE_SIZE);
  const [parameters, setParameters] = useSearchParams();
  const view = OWN_VIEWS.find((view) => view === parameters.get("view")) ?? null;
  const grouped = view === "duplicates";
  const linked = view === "same-link";
  const isList = view === null;
  const plain = useProducts(query);
  const groups = useDuplicates(grouped ? query.page : null);
  const { kinds, fresh } = useToCheck();
  const duplicates = (kinds.duplicate ?? 0) + (fresh.duplicate ?? 0);
  const isBare = isList && query.needs !== undefined && plain.data?.meta.total === 0;
  // Of an empty list it says how many deals are too new for it.
  const needing = useNeeding(view === "over" ? view : isBare ? (query.needs ?? null) : null, query.page);
  const products = isList ? plain : needing;
  const { data, error, mutate, isLoading } = grouped ? groups : products;
  const rows = grouped || linked ? undefined : products.data?.data;
  const isEmpty = !linked && data?.meta.total === 0;
  // Another list clears the selection.
  const list = view ?? new URLSearchParams(listParameters({ ...query, page: 1 })).toString();
  const [{ of, choice }, setChoice] = useState({ of: list, choice: NOTHING });
  const [done, setDone] = useState<Done>();
  const current = of === list ? choice : NOTHING;
  const choose = (next: Choice) => setChoice({ of: list, choice: next });
  const here = rows?.filter(({ _id }) => current.products.has(_id)).length ?? 0;
  const elsewhere =
    current.all === null ? current.products.size - here : chosen(current) - (rows?.length ?? 0);
  const changes = useRowChanges(setDone);
  const { edit, act, keepCheapest } = changes;
  const need = ACTS[query.needs ?? ""];
  const last = data?.meta.totalPages ?? query.page;
  useEffect(() => {
    // A change may have emptied the last page.
    if (last > 0 && query.page > last) {
      setParameters(
        (address) => {
          address.set("page", String(last));
          return address;
        },
        { replace: true },
      );
    }
  }, [query.page, last, setParameters]);
  return (
    <OfficeScreen
      title="Products"
      note={
        <span role="status" className="tabular">
          {data &&
            !linked &&
            (grouped ? inGroups(duplicates, data.meta.total) : counted(data.meta.total, "deal", "deals"))}
        </span>
      }
      actions={
        <ButtonLink to={paths.addProduct} state={FROM_OFFICE} variant="primary">
          <Icon of={plus} />
          Add product
        </ButtonLink>
      }
    >
      <Added />
      <Views kind={query.needs ?? (linked ? "duplicates" : (view ?? undefined))} state={query.state} />
      {(grouped || linked) && <SameBy link={linked} />}
      {isList && <Ask query={query} onAsk={setFilters} />}
      {error && !data ? (
        <NotLoaded title="Failed to load products" onRetry={mutate} />
      ) : (
        rows &&
        isList &&
        !isEmpty && (
          <ProductTable
            products={rows}
            choice={current}
            onChoose={choose}
            sorting={
              query.needs === undefined
                ? {
                    sortBy: query.sortBy,
                    order: query.order,
                    onSort: (sortBy, order) => setFilters({ sortBy, order }),
                  }
                : undefined
            }
            onEdit={edit}
            onAction={(product, action) => void act(product, action)}
            actOf={need && ((product) => <DealButton kind={need} product={product} changes={changes} />)}
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
      {query.needs === "pictures" && !isEmpty && <PictureCheck products={rows} />}
      {isEmpty && !isLoading && (
        <EmptyProducts
          view={view ?? query.needs ?? null}
          query={query}
          tooNew={needing.data?.tooNew ?? 0}
          onClear={setFilters}
        />
      )}
      <BulkBar
        choice={current}
        elsewhere={elsewhere}
        total={isList ? data?.meta.total : undefined}
        onAll={() =>
          data && choose({ ...toggled(NOTHING, rows ?? [], true), all: { list, total: data.meta.total } })
        }
        onClear={() => choose(NOTHING)}
        onStill={changes.confirmPrices}
        done={done}
        onDone={setDone}
      />
      {data && !isEmpty && !linked && data.meta.totalPages > 1 && (
        <Pager
          page={Math.min(query.page, data.meta.totalPages)}
          totalPages={data.meta.totalPages}
          onPage={(page) => (isList ? setPage(page) : setParameters({ view, page: String(page) }))}
        />
      )}
    </OfficeScreen>
  );
}

/** Says how many deals are possible duplicates, as the card of that work counts them, and in how many groups. */
function inGroups(deals: number, groups: number): string {
  const words = counted(groups, "group", "groups");
  return deals === 0 ? words : `${counted(deals, "deal", "deals")} in ${words}`;
}

/** The two ways in which deals are the same. */
function SameBy({ link }: { link: boolean }) {
  return (
    <nav aria-label="Same by" className="views">
      <Link to={`${office.products}?view=duplicates`} aria-current={link ? undefined : "page"}>
        Same title and seller
      </Link>
      <Link to={`${office.products}?view=same-link`} aria-current={link ? "page" : undefined}>
        Same link
      </Link>
    </nav>
  );
}
