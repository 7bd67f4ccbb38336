/** What is chosen: some products, or every one of a list as it was seen. */
export interface Choice {
  ids: ReadonlySet<string>;
  whole: { list: string; total: number } | null;
}

export const NOTHING: Choice = { ids: new Set(), whole: null };

/** How many products are chosen. */
export function chosen({ ids, whole }: Choice): number {
  return whole?.total ?? ids.size;
}

/** The choice with some products more or fewer; the choice of a whole list is given up for it. */
export function toggled(choice: Choice, ids: string[], on: boolean): Choice {
  const next = new Set(choice.whole === null ? choice.ids : []);
  for (const id of ids) {
    if (on) {
      next.add(id);
    } else {
      next.delete(id);
    }
  }
  return { ids: next, whole: null };
}

/** Something that was done and can be taken back for a while. */
export interface Done {
  key: string;
  said: string;
  undo: () => Promise<void>;
}
