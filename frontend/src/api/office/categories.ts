import { useSWRConfig } from "swr";
import { useShowShop } from "../../shop/shop";
import { request } from "../client";
import type { Categories, Category, CategoryInput } from "../types";
import { useCall } from "../use-call";

const CATEGORIES = "/category";

export function useCategoryList() {
  return useCall<Categories>(CATEGORIES, "The categories could not be loaded");
}

/** Changes of the categories; the open page shows them at once. */
export function useCategoryChanges() {
  const { mutate } = useSWRConfig();
  const show = useShowShop();
  const send = async (
    path: string,
    method: "POST" | "PUT" | "DELETE",
    failure: string,
    body?: CategoryInput,
  ) => {
    const answer = await request<Categories>(`${CATEGORIES}${path}`, failure, {
      method,
      ...(body && { body }),
    });
    await mutate(CATEGORIES, answer, { revalidate: false });
    show({ categories: answer.data.map(({ products: _, text: __, ...category }) => category) });
  };
  const pathOf = ({ slug }: Category) => `/${encodeURIComponent(slug)}`;
  return {
    add: (category: CategoryInput) => send("", "POST", "The category was not added", category),
    change: (category: Category, changes: CategoryInput) =>
      send(pathOf(category), "PUT", "The category was not changed", changes),
    remove: (category: Category, into: string) =>
      send(
        `${pathOf(category)}${into === "" ? "" : `?${new URLSearchParams({ into })}`}`,
        "DELETE",
        "The category was not merged",
      ),
  };
}
