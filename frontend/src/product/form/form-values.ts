import type { Product, ProductInput } from "../../api/products";
import { store, stored } from "../../lib/storage";
import { toNumber } from "../../schemas/product";

/** What is typed: numbers are text until they are sent. */
export interface ProductFormValues {
  title: string;
  description: string;
  price: string;
  discount: string;
  category: string;
  source: string;
  affiliateLink: string;
  images: string[];
  averageRating: string;
  totalRatings: string;
}

export const EMPTY_PRODUCT: ProductFormValues = {
  title: "",
  description: "",
  price: "",
  discount: "0",
  category: "",
  source: "",
  affiliateLink: "",
  images: [""],
  averageRating: "",
  totalRatings: "",
};

export function toInput(values: ProductFormValues): ProductInput {
  return {
    title: values.title.trim(),
    description: values.description.trim(),
    price: toNumber(values.price),
    discount: toNumber(values.discount),
    category: values.category,
    source: values.source.trim(),
    affiliateLink: values.affiliateLink.trim(),
    images: values.images.map((image) => image.trim()),
    averageRating: toNumber(values.averageRating),
    totalRatings: toNumber(values.totalRatings),
  };
}

export function fromProduct(product: Product): ProductFormValues {
  return {
    title: product.title,
    description: product.description,
    price: String(product.price),
    discount: String(product.discount),
    category: product.category,
    source: product.source,
    affiliateLink: product.affiliateLink,
    images: product.images,
    averageRating: String(product.ratings.averageRating),
    totalRatings: String(product.ratings.totalRatings),
  };
}

/** What was typed, and to which version of the product. */
interface KeptDraft {
  values: ProductFormValues;
  version: string;
}

/** Keeps what is typed until it is sent. */
export function keepDraft(name: string, draft: KeptDraft): void {
  store(name, JSON.stringify(draft));
}

/** What was typed before and not sent, if anything. */
export function readDraft(name: string): KeptDraft | undefined {
  try {
    const kept = JSON.parse(stored(name) ?? "null") as KeptDraft | null;
    return kept ? { version: kept.version, values: { ...EMPTY_PRODUCT, ...kept.values } } : undefined;
  } catch {
    return undefined;
  }
}

export function forgetDraft(name: string): void {
  store(name, null);
}
