import type { ProductQuery } from "../../api/products/query";
import type { Facets } from "../../api/types";
import { tabs } from "../../lib/constants.json";
import { changed, listAddress, relation } from "../../product/list-state";
import { Link } from "../../ui/link";
import { setInPanel } from "./filter-panel";

/**
 * Tabs that set sort and order, on the first page of all deals or of a category; without a tab that
 * would put no deal first.
 */
export function SortTabs({ query, facets }: { query: ProductQuery; facets: Facets | undefined }) {
  if (query.page > 1 || query.search || setInPanel(query) > 0) {
    return null;
  }
  const number: Partial<Record<string, number | undefined>> = {
    drop: facets?.proven,
    endsAt: facets?.endingSoon,
  };
  const isCurrent = ({ sortBy, order }: (typeof tabs)[number]) =>
    query.sortBy === sortBy && query.order === order;
  const offered = tabs.filter((tab) => isCurrent(tab) || !(tab.sortBy in number) || number[tab.sortBy]);
  return (
    <ul>
      {offered.map((tab) => (
        <li key={tab.sortBy}>
          <Link
            to={listAddress(changed(query, { sortBy: tab.sortBy, order: tab.order }))}
            rel={relation(query)}
            state={{ keepScroll: true }}
            className="chip"
            aria-current={isCurrent(tab) ? "true" : undefined}
          >
            {tab.label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
