import type { Product } from "../../../api/types";

export interface Choice {
  /** Titles of the selected products by id. */
  titles: ReadonlyMap<string, string>;
  all: { list: string; total: number } | null;
}

export const NOTHING: Choice = { titles: new Map(), all: null };

export function chosen({ titles, all }: Choice): number {
  return all?.total ?? titles.size;
}

/** Adds or removes products; a selection of all is replaced. */
export function toggled(choice: Choice, products: readonly Product[], on: boolean): Choice {
  const titles = new Map(choice.all === null ? choice.titles : []);
  for (const { _id, title } of products) {
    if (on) {
      titles.set(_id, title);
    } else {
      titles.delete(_id);
    }
  }
  return { titles, all: null };
}
