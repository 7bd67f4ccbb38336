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

/** Returns the address of a category's list. */
export function categoryAddress(category: string): string {
  return `/?${new URLSearchParams({ category })}`;
}
