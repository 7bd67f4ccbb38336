import { X } from "lucide-react";
import { Link } from "react-router-dom";
import type { ProductQuery } from "../../api/products";
import { paths } from "../../lib/paths";
import { percent, rupees } from "../../lib/rupees";
import { changed, listAddress } from "../../product/list-state";

const CHIP =
  "inline-flex min-h-11 max-w-full items-center gap-1.5 rounded border border-line px-3 text-sm hover:border-ink-3 hover:bg-raised wide:min-h-8";

/** What the list is narrowed to, each to be taken away by itself. */
export function ActiveFilters({ query }: { query: ProductQuery }) {
  const active = labels(query);
  if (active.length === 0) {
    return null;
  }
  return (
    <ul
      aria-label="Active filters"
      className="-mx-4 flex items-center gap-2 overflow-x-auto px-4 py-0.5 wide:mx-0 wide:flex-wrap wide:overflow-visible wide:px-0 wide:pb-4 print:hidden"
    >
      {active.map(([name, label]) => (
        <li key={name} className="flex max-w-full shrink-0">
          <Link
            to={listAddress(changed(query, { [name]: "" }))}
            state={{ keepScroll: true }}
            aria-label={`Remove ${label}`}
            className={CHIP}
          >
            <span className="truncate">{label}</span>
            <X aria-hidden size={14} className="shrink-0 text-ink-3" />
          </Link>
        </li>
      ))}
      <li className="flex shrink-0">
        <Link
          to={paths.listing}
          state={{ keepScroll: true }}
          className="inline-flex min-h-11 items-center rounded px-2 text-sm font-semibold text-accent hover:bg-raised wide:min-h-8"
        >
          Clear filters
        </Link>
      </li>
    </ul>
  );
}

function labels(query: ProductQuery): [string, string][] {
  const { search, category, source, minPrice, maxPrice, minDiscount } = query;
  const all: [string, string | undefined][] = [
    ["search", search && `“${search}”`],
    ["category", category],
    ["source", source],
    ["minPrice", minPrice === undefined ? undefined : `From ${rupees(minPrice)}`],
    ["maxPrice", maxPrice === undefined ? undefined : `Up to ${rupees(maxPrice)}`],
    ["minDiscount", minDiscount === undefined ? undefined : `${percent(minDiscount)} off or more`],
  ];
  return all.flatMap(([name, label]) => (label === undefined ? [] : [[name, label]]));
}
