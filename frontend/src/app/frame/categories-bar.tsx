import type { ProductQuery } from "../../api/products/query";
import type { Facets } from "../../api/types";
import { count } from "../../lib/rupees";
import { changed, listAddress, onShelf, relation } from "../../product/list-state";
import { categoryPath, collectionPath } from "../../shop/categories";
import { useShop } from "../../shop/shop";
import { allCategories, categoriesTitle } from "../../texts/en.json";
import { Link } from "../../ui/link";

interface CategoriesBarProps {
  query: ProductQuery;
  facets: Facets | undefined;
  /** The list is on screen. */
  onList: boolean;
  /** A deal's page has room for the price instead, on phones. */
  onDeal: boolean;
}

/** Links to the categories with their number of deals; on the list, other filters stay. */
export function CategoriesBar({ query, facets, onList, onDeal }: CategoriesBarProps) {
  const { categories, collections = [] } = useShop();
  const chosen = categories.find(({ name }) => name === query.category);
  const open = chosen?.parent ?? chosen?.name;
  // The second level of the chosen category only.
  const offered = categories.filter(
    ({ hidden, parent }) => !hidden && (parent === undefined || parent === open),
  );
  const counts = new Map(facets?.categories.map(({ name, products }) => [name, products]));
  const choices = [
    { name: "", products: facets?.all },
    ...offered.map(({ name }) => ({ name, products: counts.get(name) })),
  ];
  const listOf = (name: string) => {
    const to = changed(query, { category: name });
    return name ? onShelf(to, { path: categoryPath(categories, name), filters: { category: name } }) : to;
  };
  return (
    <nav aria-label={categoriesTitle} className={onDeal ? "page cats cats-wide" : "page cats"}>
      {choices.map(({ name, products }) => (
        <Link
          key={name}
          to={listAddress(listOf(name))}
          rel={relation(listOf(name))}
          state={onList ? { keepScroll: true } : undefined}
          aria-current={onList && !query.collection && (query.category ?? "") === name ? "page" : undefined}
        >
          {name || allCategories}
          {products !== undefined && <span>{count(products)}</span>}
        </Link>
      ))}
      {collections.map(
        ({ slug, name, inMenu }) =>
          inMenu && (
            <Link
              key={slug}
              to={collectionPath(slug)}
              aria-current={onList && query.collection === slug ? "page" : undefined}
            >
              {name}
            </Link>
          ),
      )}
    </nav>
  );
}
