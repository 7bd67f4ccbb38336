// Mirrored by src/http/pages/layout.rs

import { CATEGORIES, type Facets, type ProductQuery } from "../../api/products";
import { count } from "../../lib/rupees";
import { changed, listAddress } from "../../product/list-state";
import { Link } from "../../ui/link";

interface CategoriesBarProps {
  query: ProductQuery;
  facets: Facets | undefined;
  /** Whether the list is what is shown. */
  onList: boolean;
}

/** The categories with their deals; on the list the other filters stay. */
export function CategoriesBar({ query, facets, onList }: CategoriesBarProps) {
  const named = facets?.categories ?? CATEGORIES.map((name) => ({ name, products: undefined }));
  const choices = [{ name: "", products: facets?.all }, ...named];
  return (
    <nav aria-label="Categories" className="page cats">
      {choices.map(({ name, products }) => (
        <Link
          key={name}
          to={listAddress(changed(query, { category: name }))}
          state={onList ? { keepScroll: true } : undefined}
          aria-current={onList && (query.category ?? "") === name ? "page" : undefined}
        >
          {name || "All"}
          {products !== undefined && <span>{count(products)}</span>}
        </Link>
      ))}
    </nav>
  );
}
