import { useProducts } from "../../api/products/list";
import { FILTERS, type ProductQuery } from "../../api/products/query";
import { office } from "../../lib/office-paths";
import { FROM_OFFICE, paths } from "../../lib/paths";
import { count, counted } from "../../lib/rupees";
import { listParameters } from "../../product/list-state";
import { Button, ButtonLink } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { STATES } from "./views";

interface EmptyProductsProps {
  view: string | null;
  query: ProductQuery;
  /** Number of products that are not old enough for the view. */
  tooNew: number;
  onClear: (filters: Partial<Record<(typeof FILTERS)[number], "">>) => void;
}

/** The place of a table without rows: why it is empty, and what to do. */
export function EmptyProducts({ view, query, tooNew, onClear }: EmptyProductsProps) {
  const filters = FILTERS.filter((name) => name !== "state" && name !== "needs" && query[name] !== undefined);
  if (view !== null && filters.length === 0) {
    return (
      <Notice title={viewWords(view, tooNew)}>
        <ButtonLink to={office.products}>Show live deals</ButtonLink>
      </Notice>
    );
  }
  if (filters.length > 0) {
    return (
      <Notice title="No deals match the search and its filters.">
        {view === null && <InOtherStates query={query} />}
        <Button onClick={() => onClear(Object.fromEntries(filters.map((name) => [name, ""])))}>
          Show all deals
        </Button>
      </Notice>
    );
  }
  return (
    <Notice title="No deals here yet">
      <p className="hint">{STATE_HINTS[query.state ?? "live"]}</p>
      {query.state !== "ended" && (
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={paths.addProduct} state={FROM_OFFICE}>
            Add product
          </ButtonLink>
          <ButtonLink to={office.files}>Import a file</ButtonLink>
        </div>
      )}
    </Notice>
  );
}

/** Links to the other states that have products for the search and its filters. */
function InOtherStates({ query }: { query: ProductQuery }) {
  return (
    <ul className="flex flex-wrap gap-x-4 empty:hidden">
      {STATES.filter(({ address }) => address !== (query.state ?? "")).map(({ address, name }) => (
        <InState key={name} query={inState(query, address)} name={name} />
      ))}
    </ul>
  );
}

function InState({ query, name }: { query: ProductQuery; name: string }) {
  const { data, isOld } = useProducts({ ...query, limit: 1 });
  if (!data || isOld || data.meta.total === 0) {
    return null;
  }
  return (
    <li>
      <Link to={`${office.products}?${new URLSearchParams(listParameters(query))}`} className="link">
        {`${count(data.meta.total)} in ${name}`}
      </Link>
    </li>
  );
}

function inState({ state: _, ...query }: ProductQuery, address: (typeof STATES)[number]["address"]) {
  return { ...query, page: 1, ...(address === "" ? {} : { state: address }) };
}

const STATE_HINTS = {
  live: "Add your first deal, or import a file of them.",
  scheduled: "A deal waits here until its start. Add one with a start in the future.",
  draft: "A draft waits here until you publish it. Add a deal with the status Draft.",
  ended: "A deal comes here at its end. Choose deals under Live and end them now, or set an end.",
};

function viewWords(view: string, tooNew: number): string {
  switch (view) {
    case "no-clicks":
      return tooNew === 0
        ? "No deals without clicks in the last 30 days."
        : `None is older than 30 days; ${counted(tooNew, "younger one has", "younger ones have")} no click yet.`;
    case "over":
      return "No visitor reports a deal as over.";
    case "old-price":
      return tooNew === 0
        ? "No deals with an old price."
        : `No price is older than 30 days; ${counted(tooNew, "price was", "prices were")} seen since then.`;
    case "ending":
      return "No deal ends within a day.";
    case "pictures":
      return "No deals with a picture that did not load.";
    default:
      return "No deals with the same title and seller.";
  }
}
