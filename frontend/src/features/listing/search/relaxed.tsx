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
  const labels = Object.fromEntries(filterLabels(query, useCollectionName(query.collection)));
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
      {relaxed.map(({ without: name, total }) => (
        <li key={name}>
          <Link to={listAddress(without(query, name))} rel={relation(without(query, name))} className="link">
            {fill(withoutFilter, { filter: labels[name] ?? "", deals: plural(dealsCount, total) })}
          </Link>
        </li>
      ))}
    </ul>
  );
}
