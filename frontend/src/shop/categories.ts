import { useMemo } from "react";
import type { CategoryBody as ShopCategory } from "../../generated/api";
import { useShop } from "./shop";

export type { ShopCategory };

/** Returns the names of all categories, in their order. */
export function useCategoryNames(): string[] {
  const { categories } = useShop();
  return useMemo(() => categories.map(({ name }) => name), [categories]);
}

/** Returns the name of the collection with a slug, or the slug. */
export function useCollectionName(slug: string | undefined): string | undefined {
  const { collections = [] } = useShop();
  return collections.find((collection) => collection.slug === slug)?.name ?? slug;
}

/** Returns the choices of a field for a category, with the name above those of the second level. */
export function useCategoryChoices(): { value: string; label: string }[] {
  const { categories } = useShop();
  return useMemo(() => categories.map((of) => ({ value: of.name, label: pathOf(of) })), [categories]);
}

/** Writes where a category is, like `Electronics › Audio`. */
export function pathOf({ name, parent }: Pick<ShopCategory, "name" | "parent">): string {
  return parent === undefined ? name : `${parent} › ${name}`;
}

/** Returns the function that makes the path of a category's page. */
export function useCategoryPath(): (name: string) => string {
  const { categories } = useShop();
  return (name) => categoryPath(categories, name);
}

const paths = new WeakMap<readonly ShopCategory[], Map<string, string>>();

/** Returns the path of a category's page (`src/storefront/paths.rs`). */
export function categoryPath(categories: readonly ShopCategory[], name: string): string {
  let known = paths.get(categories);
  if (known === undefined) {
    known = pathsOf(categories);
    paths.set(categories, known);
  }
  return known.get(name) ?? `/category/${encodeURIComponent(slugOf(name))}`;
}

/** Makes the paths of all categories, once for all links of a page. */
function pathsOf(categories: readonly ShopCategory[]): Map<string, string> {
  const slugs = new Map(categories.map(({ name, slug }) => [name, encodeURIComponent(slug ?? slugOf(name))]));
  return new Map(
    categories.map(({ name, parent }) => {
      const above = parent === undefined ? "" : `/${slugs.get(parent)}`;
      return [name, `/category${above}/${slugs.get(name)}`];
    }),
  );
}

/** Returns the path of a collection's page. */
export function collectionPath(slug: string): string {
  return `/collection/${encodeURIComponent(slug)}`;
}

/** Returns the path of a seller's page, or of the list of a seller whose name gives none. */
export function sellerPath(source: string): string {
  const slug = slugOf(source);
  return slug ? `/seller/${encodeURIComponent(slug)}` : `/?${new URLSearchParams({ source })}`;
}

/** Makes a slug of the letters and digits of a name, as `src/domain/categories/change.rs` does. */
function slugOf(name: string): string {
  // `split` would compile the expression anew for each name.
  return (name.toLowerCase().match(/[\p{Alphabetic}\p{N}]+/gu) ?? []).join("-");
}
