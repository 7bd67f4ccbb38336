import sliders from "icon:sliders-horizontal";
import cross from "icon:x";
import { type ProductQuery, sellersOf } from "../../api/products/query";
import type { Facets } from "../../api/types";
import { chips as counted, provenPick } from "../../lib/constants.json";
import { count } from "../../lib/rupees";
import {
  changed,
  endSoon,
  listAddress,
  listBase,
  relation,
  without,
  withSeller,
} from "../../product/list-state";
import { useCollectionName } from "../../shop/categories";
import {
  activeFilters,
  clearFilters,
  endingSoonLabel,
  filtersTitle,
  quickFilters,
  reallyCheaper,
  removeFilter,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { filterLabels } from "./filter-labels";
import { setInPanel } from "./filter-panel";

/** Sellers that are offered as chips. */
const SELLERS = 3;

interface ChipsProps {
  query: ProductQuery;
  facets: Facets | undefined;
  /** Opens all filters. */
  onOpen: () => void;
}

/** One line of filters: those that are set, and others with the number of deals that they leave. */
export function Chips({ query, facets, onOpen }: ChipsProps) {
  const labels = filterLabels(query, useCollectionName(query.collection));
  const active = labels.flatMap(([name, label]) =>
    name === "source"
      ? sellersOf(query).map(
          (seller) => [seller, changed(query, { source: withSeller(query, seller) })] as const,
        )
      : [[label, without(query, name)] as const],
  );
  const set = setInPanel(query);
  const offered = facets === undefined ? [] : offers(query, facets);
  return (
    <div className="row">
      <button type="button" className="chip needs-script" aria-haspopup="dialog" onClick={onOpen}>
        <Icon of={sliders} />
        {filtersTitle}
        {set > 0 && <small>{set}</small>}
      </button>
      {active.length > 0 && (
        <ul aria-label={activeFilters}>
          {active.map(([label, rest]) => (
            <li key={label}>
              <Link
                to={listAddress(rest)}
                rel={relation(rest)}
                state={{ keepScroll: true }}
                aria-label={fill(removeFilter, { filter: label })}
                className="chip chip-on"
              >
                <span>{label}</span>
                <Icon of={cross} />
              </Link>
            </li>
          ))}
          <li>
            <Link to={listBase(query)} state={{ keepScroll: true }} className="chip">
              {clearFilters}
            </Link>
          </li>
        </ul>
      )}
      {offered.length > 0 && (
        <ul aria-label={quickFilters}>
          {offered.map(({ label, filter, products }) => {
            const to = changed(query, filter || {});
            return (
              <li key={label}>
                <Link to={listAddress(to)} rel={relation(to)} state={{ keepScroll: true }} className="chip">
                  <span>{label}</span>
                  {products !== undefined && <small>{count(products)}</small>}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

interface Offer {
  label: string;
  /** The filter, if it is not set. */
  filter: Parameters<typeof changed>[1] | false;
  products: number | undefined;
}

/** Returns filters that are not set and would leave some deals. */
function offers(query: ProductQuery, { proven = 0, endingSoon = 0, chips, sources }: Facets): Offer[] {
  const hasPrice = query.minPrice !== undefined || query.maxPrice !== undefined;
  const chosen = sellersOf(query);
  const isOffered = (name: string) =>
    !query.shelf?.filters.source && sources.length > 1 && !chosen.includes(name);
  const sellers = sources.toSorted((a, b) => b.products - a.products).slice(0, SELLERS);
  const all: Offer[] = [
    {
      label: reallyCheaper,
      filter: query.minProven === undefined && { minProven: provenPick },
      products: proven,
    },
    { label: endingSoonLabel, filter: !query.endingSoon && endSoon(query, true), products: endingSoon },
    ...counted.flatMap(({ label, isQuick, ...filter }, at) => {
      const isSet =
        (filter.minDiscount && query.minDiscount !== undefined) ||
        (filter.minRating && query.minRating) ||
        (!filter.minDiscount && !filter.minRating && hasPrice);
      return isQuick ? [{ label, filter: !isSet && filter, products: chips[at] }] : [];
    }),
    ...sellers.map(({ name, products }) => ({
      label: name,
      filter: isOffered(name) && { source: withSeller(query, name) },
      products,
    })),
  ];
  return all.filter(({ filter, products }) => filter && products !== 0);
}
