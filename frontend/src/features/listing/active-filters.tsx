import cross from "icon:x";
import type { ProductQuery } from "../../api/products/query";
import { paths } from "../../lib/paths";
import { percent, rupees } from "../../lib/rupees";
import { listAddress, relation, without } from "../../product/list-state";
import {
  activeFilters,
  clearFilters,
  endingSoonLabel,
  fromPrice,
  offOrMore,
  quoted,
  reallyCheaper,
  removeFilter,
  upToPrice,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";

export function ActiveFilters({ query }: { query: ProductQuery }) {
  const active = filterLabels(query);
  if (active.length === 0) {
    return null;
  }
  return (
    <ul aria-label={activeFilters} className="chips">
      {active.map(([name, label]) => (
        <li key={name}>
          <Link
            to={listAddress(without(query, name))}
            rel={relation(without(query, name))}
            state={{ keepScroll: true }}
            aria-label={fill(removeFilter, { filter: label })}
            className="chip"
          >
            <span>{label}</span>
            <Icon of={cross} />
          </Link>
        </li>
      ))}
      <li>
        <Link to={paths.listing} state={{ keepScroll: true }}>
          {clearFilters}
        </Link>
      </li>
    </ul>
  );
}

export function filterLabels(query: ProductQuery): [string, string][] {
  const { search, category, source, minPrice, maxPrice, minDiscount, minProven, endingSoon } = query;
  const all: [string, string | undefined][] = [
    ["search", search && fill(quoted, { words: search })],
    ["category", category],
    ["source", source],
    ["minPrice", minPrice === undefined ? undefined : fill(fromPrice, { price: rupees(minPrice) })],
    ["maxPrice", maxPrice === undefined ? undefined : fill(upToPrice, { price: rupees(maxPrice) })],
    [
      "minDiscount",
      minDiscount === undefined ? undefined : fill(offOrMore, { percent: percent(minDiscount) }),
    ],
    ["minProven", minProven === undefined ? undefined : reallyCheaper],
    ["endingSoon", endingSoon && endingSoonLabel],
  ];
  return all.flatMap(([name, label]) => (label === undefined ? [] : [[name, label]]));
}
