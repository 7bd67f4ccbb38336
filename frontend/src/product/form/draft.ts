import { store, stored } from "../../lib/device/storage";
import { EMPTY_PRODUCT, type ProductFormValues } from "../../schemas/product";

/** What was typed, and to which version of the product. */
interface KeptDraft {
  values: ProductFormValues;
  version: string;
  /** When it was typed (RFC 3339). */
  at?: string;
}

/** Keeps what is typed until it is sent. */
export function keepDraft(name: string, draft: KeptDraft): void {
  store(name, JSON.stringify({ at: new Date().toISOString(), ...draft }));
}

/** What was typed before and not sent, if anything. */
export function readDraft(name: string): KeptDraft | undefined {
  try {
    const kept = JSON.parse(stored(name) ?? "null") as KeptDraft | null;
    return kept ? { ...kept, values: { ...EMPTY_PRODUCT, ...kept.values } } : undefined;
  } catch {
    return undefined;
  }
}

export function forgetDraft(name: string): void {
  store(name, null);
}
