import useSWR, { type SWRConfiguration, useSWRConfig } from "swr";
import { request } from "./client";

export const CATEGORIES = ["Electronics", "Clothing", "Books", "Home"] as const;
export type Category = (typeof CATEGORIES)[number];

/** A product as the server gives it (spec section 3). */
export interface Product {
  _id: string;
  title: string;
  description: string;
  /** Rupees before the discount. */
  price: number;
  /** Percent, 0 to 100. */
  discount: number;
  /** Rupees to pay. */
  finalPrice: number;
  category: Category;
  source: string;
  affiliateLink: string;
  images: string[];
  clicks: number;
  ratings: { averageRating: number; totalRatings: number };
  /** RFC 3339. */
  createdAt: string;
  updatedAt: string;
}

export interface ProductPage {
  /** The request that this answers. */
  key: string;
  data: Product[];
  meta: { currentPage: number; totalPages: number; total: number; limit: number };
}

export interface ProductQuery {
  page: number;
  limit: number;
  sortBy: string;
  order: string;
  category?: Category;
  search?: string;
}

const LIST = "/product/get-products";
const DETAIL = "/product/product/";

function listKey(query: ProductQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") {
      parameters.set(name, String(value));
    }
  }
  return `${LIST}?${parameters}`;
}

function detailKey(id: string): string {
  return DETAIL + encodeURIComponent(id);
}

/** One page of the list; the page before stays visible while the next loads. */
export function useProducts(query: ProductQuery) {
  const key = listKey(query);
  const { data, ...rest } = useSWR<ProductPage>(key, fetchPage, { keepPreviousData: true });
  // When the next page fails, the one before would stand under the wrong heading.
  const shown = rest.error !== undefined && data?.key !== key ? undefined : data;
  return { ...rest, data: shown };
}

async function fetchPage(key: string): Promise<ProductPage> {
  const page = await request<Omit<ProductPage, "key">>(key, "Failed to load products");
  return { ...page, key };
}

/** One product by its `_id`. */
export function useProduct(id: string, options: SWRConfiguration<Product> = {}) {
  return useSWR<Product>(
    detailKey(id),
    async (key: string) => {
      const answer = await request<{ product: Product }>(key, "Failed to load product details", {
        credentials: "omit",
      });
      return answer.product;
    },
    options,
  );
}

/**
 * Counts a click on a product's affiliate link and shows the new count wherever
 * the product is on screen.
 *
 * @throws {ApiError} when the click was not counted
 */
export function useRecordClick(): (id: string) => Promise<number> {
  const { mutate } = useSWRConfig();
  return async (id) => {
    // Leaving the page must not cancel the count.
    const { clicks } = await request<{ clicks: number }>(
      `/product/increament-views/${encodeURIComponent(id)}`,
      "product increament failed",
      { method: "POST", keepalive: true },
    );
    const counted = (product: Product) => (product._id === id ? { ...product, clicks } : product);
    await Promise.all([
      mutate<Product>(detailKey(id), (product) => product && counted(product), { revalidate: false }),
      mutate<ProductPage>(
        (key) => typeof key === "string" && key.startsWith(LIST),
        (page) => page && { ...page, data: page.data.map(counted) },
        { revalidate: false },
      ),
    ]);
    return clicks;
  };
}

/** What the forms send (spec section 3). */
export interface ProductInput {
  title: string;
  description: string;
  price: number;
  discount: number;
  category: string;
  source: string;
  affiliateLink: string;
  images: string[];
  averageRating: number;
  totalRatings: number;
}

/** Adding, changing and deleting; whatever shows products is fetched again. */
export function useProductChanges() {
  const { mutate } = useSWRConfig();
  const refreshLists = () => mutate((key) => typeof key === "string" && key.startsWith(LIST));
  return {
    async add(input: ProductInput): Promise<Product> {
      const answer = await request<{ product: Product }>(
        "/product/add-product",
        "failed to add product please try again later",
        { method: "POST", body: input },
      );
      await refreshLists();
      return answer.product;
    },

    /** `updatedAt` names the version that was changed; another one answers 409. */
    async update(id: string, input: ProductInput & { updatedAt: string }): Promise<Product> {
      const answer = await request<{ product: Product }>(
        `/product/update-product/${encodeURIComponent(id)}`,
        "failed to update product please try again later",
        { method: "PUT", body: { _id: id, ...input } },
      );
      await Promise.all([mutate(detailKey(id), answer.product, { revalidate: false }), refreshLists()]);
      return answer.product;
    },

    async remove(id: string): Promise<void> {
      await request<{ message: string }>(
        `/product/delete-product/${encodeURIComponent(id)}`,
        "failed to delete product please try again later",
        { method: "DELETE" },
      );
      await Promise.all([mutate(detailKey(id), undefined, { revalidate: false }), refreshLists()]);
    },
  };
}
