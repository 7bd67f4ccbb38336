import type { ProductPage } from "../../../api/products/list";
import type { ProductQuery } from "../../../api/products/query";
import { listAddress, relation, without } from "../../../product/list-state";
import { dealsCount, withoutFilter } from "../../../texts/en.json";
import { fill } from "../../../texts/fill";
import { plural } from "../../../texts/plural";
import { Link } from "../../../ui/link";
import { filterLabels } from "../filter-labels";

interface RelaxedProps {
  query: ProductQuery;
  meta: ProductPage["meta"];
}

/** Links to the list without one of its filters, with the number of deals that it has then. */
export function Relaxed({ query, meta: { relaxed = [] } }: RelaxedProps) {
  const labels = Object.fromEntries(filterLabels(query));
  return relaxed.length === 0 ? null : (
    <ul className="relaxed">
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
