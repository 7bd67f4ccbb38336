import { useMemo } from "react";
import { store, stored, useStored } from "./storage";

/** Stored fields of a saved deal, shown also after its end or without a network. */
export interface SavedDeal {
  id: string;
  title: string;
  image: string;
  category: string;
  /** Rupees to pay when it was saved, if the seller's rules allow a device to keep them. */
  finalPrice?: number;
}

const KEY = "saved";
/** Maximum number of saved deals; the oldest is dropped. */
const MOST = 100;

/** Returns the deals saved on this device, newest first. */
export function useSaved(): readonly SavedDeal[] {
  const text = useStored(KEY);
  return useMemo(() => read(text), [text]);
}

export function toggleSaved(deal: SavedDeal): void {
  const saved = read(stored(KEY));
  const others = saved.filter(({ id }) => id !== deal.id);
  const next = others.length < saved.length ? others : [deal, ...saved].slice(0, MOST);
  store(KEY, next.length === 0 ? null : JSON.stringify(next));
}

function read(text: string | null): SavedDeal[] {
  try {
    const saved: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(saved) ? saved.filter(isSaved) : [];
  } catch {
    return [];
  }
}

function isSaved(deal: unknown): deal is SavedDeal {
  const { id, title, image, category, finalPrice } = (deal ?? {}) as Record<string, unknown>;
  return (
    [id, title, image, category].every((text) => typeof text === "string") &&
    (finalPrice === undefined || typeof finalPrice === "number")
  );
}
