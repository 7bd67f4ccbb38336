import type { ProductPage } from "../../../api/products/list";
import type { ProductQuery } from "../../../api/products/query";
import { changed, listAddress, relation, without } from "../../../product/list-state";
import { useCollectionName } from "../../../shop/categories";
import { dealsCount, shorterSearch, withoutFilter } from "../../../texts/en.json";
import { fill } from "../../../texts/fill";
import { plural } from "../../../texts/plural";
import { Link } from "../../../ui/link";
import { filterLabels } from "../filter-labels";

interface RelaxedProps {
  query: ProductQuery;
  meta: ProductPage["meta"];
}

/** Links to the list with fewer words or without one of its filters, with the number of deals that it has then. */
export function Relaxed({ query, meta: { relaxed = [], shorter = [] } }: RelaxedProps) {
  const { shelf, ...elsewhere } = query;
  const labels = Object.fromEntries(filterLabels(elsewhere, useCollectionName(query.collection)));
  return relaxed.length + shorter.length === 0 ? null : (
    <ul className="relaxed">
      {shorter.map(({ search, total }) => {
        const to = changed(query, { search });
        return (
          <li key={search}>
            <Link to={listAddress(to)} rel={relation(to)} className="link">
              {fill(shorterSearch, { search, deals: plural(dealsCount, total) })}
            </Link>
          </li>
        );
      })}
      {relaxed.map(({ without: name, total }) => {
        // A price of the words has no label: it goes with them.
        const filter = labels[name];
        const to = without(shelf && name in shelf.filters ? elsewhere : query, name);
        return (
          filter && (
            <li key={name}>
              <Link to={listAddress(to)} rel={relation(to)} className="link">
                {fill(withoutFilter, { filter, deals: plural(dealsCount, total) })}
              </Link>
            </li>
          )
        );
      })}
    </ul>
  );
}
