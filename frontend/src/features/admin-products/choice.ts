import { truncate } from "../../lib/truncate";

export interface Choice {
  ids: ReadonlySet<string>;
  all: { list: string; total: number } | null;
}

export const NOTHING: Choice = { ids: new Set(), all: null };

export function chosen({ ids, all }: Choice): number {
  return all?.total ?? ids.size;
}

/** Adds or removes products; a selection of all is replaced. */
export function toggled(choice: Choice, ids: string[], on: boolean): Choice {
  const next = new Set(choice.all === null ? choice.ids : []);
  for (const id of ids) {
    if (on) {
      next.add(id);
    } else {
      next.delete(id);
    }
  }
  return { ids: next, all: null };
}

/** A change that can be undone for a while. */
export interface Done {
  key: string;
  message: string;
  undo: () => Promise<unknown>;
}

/** A field that is changed in its row. */
export type PriceField = "price" | "discount" | "finalPrice";

/** A change of a product from the menu of its row. */
export type RowAction = "end" | "delete";

/** Returns the title of a product for a message, shortened. */
export function quoted({ title }: { title: string }): string {
  return `“${truncate(title, 60)}”`;
}
