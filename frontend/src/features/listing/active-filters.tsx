// Mirrored by src/http/pages/list/active_filters.rs

import cross from "icon:x";
import type { ProductQuery } from "../../api/products/query";
import { paths } from "../../lib/paths";
import { percent, rupees } from "../../lib/rupees";
import { listAddress, relation, without } from "../../product/list-state";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";

export function ActiveFilters({ query }: { query: ProductQuery }) {
  const active = filterLabels(query);
  if (active.length === 0) {
    return null;
  }
  return (
    <ul aria-label="Active filters" className="chips">
      {active.map(([name, label]) => (
        <li key={name}>
          <Link
            to={listAddress(without(query, name))}
            rel={relation(without(query, name))}
            state={{ keepScroll: true }}
            aria-label={`Remove ${label}`}
            className="chip"
          >
            <span>{label}</span>
            <Icon of={cross} />
          </Link>
        </li>
      ))}
      <li>
        <Link to={paths.listing} state={{ keepScroll: true }}>
          Clear filters
        </Link>
      </li>
    </ul>
  );
}

export function filterLabels(query: ProductQuery): [string, string][] {
  const { search, category, source, minPrice, maxPrice, minDiscount, minProven, endingSoon } = query;
  const all: [string, string | undefined][] = [
    ["search", search && `“${search}”`],
    ["category", category],
    ["source", source],
    ["minPrice", minPrice === undefined ? undefined : `From ${rupees(minPrice)}`],
    ["maxPrice", maxPrice === undefined ? undefined : `Up to ${rupees(maxPrice)}`],
    ["minDiscount", minDiscount === undefined ? undefined : `${percent(minDiscount)} off or more`],
    ["minProven", minProven === undefined ? undefined : "Really cheaper"],
    ["endingSoon", endingSoon && "Ending soon"],
  ];
  return all.flatMap(([name, label]) => (label === undefined ? [] : [[name, label]]));
}
