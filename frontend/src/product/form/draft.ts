import { store, stored } from "../../lib/device/storage";
import { EMPTY_PRODUCT, type ProductFormValues } from "../../schemas/product";

/** Typed values, and the version of the product that they change. */
interface StoredDraft {
  values: ProductFormValues;
  version: string;
  /** Values of that version, to tell changed fields from those left alone. */
  base?: ProductFormValues;
  /** Time of the last change (RFC 3339). */
  at?: string;
}

export function storeDraft(name: string, draft: StoredDraft): void {
  store(name, JSON.stringify({ at: new Date().toISOString(), ...draft }));
}

export function readDraft(name: string): StoredDraft | undefined {
  try {
    const draft = JSON.parse(stored(name) ?? "null") as StoredDraft | null;
    return draft ? { ...draft, values: { ...EMPTY_PRODUCT, ...draft.values } } : undefined;
  } catch {
    return undefined;
  }
}

export function deleteDraft(name: string): void {
  store(name, null);
}
