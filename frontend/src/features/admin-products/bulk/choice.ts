import type { Product } from "../../../api/types";

export interface Choice {
  /** The selected products by id, as they were seen. */
  products: ReadonlyMap<string, Product>;
  all: { list: string; total: number } | null;
}

export const NOTHING: Choice = { products: new Map(), all: null };

export function chosen({ products, all }: Choice): number {
  return all?.total ?? products.size;
}

/** Adds or removes products; a selection of all is replaced. */
export function toggled(choice: Choice, some: readonly Product[], on: boolean): Choice {
  const products = new Map(choice.all === null ? choice.products : []);
  for (const product of some) {
    if (on) {
      products.set(product._id, product);
    } else {
      products.delete(product._id);
    }
  }
  return { products, all: null };
}
