import { useMemo } from "react";
import { store, stored, useStored } from "./storage";

/** What is kept of a saved deal, to be shown also when it has ended or there is no network. */
export interface SavedDeal {
  id: string;
  title: string;
  image: string;
  category: string;
  /** Rupees to pay when it was saved. */
  finalPrice: number;
}

const KEY = "saved";
/** More are hardly looked at again; the oldest goes. */
const MOST = 100;

/** The deals that are saved on this device, the last one first. */
export function useSaved(): readonly SavedDeal[] {
  const text = useStored(KEY);
  return useMemo(() => read(text), [text]);
}

/** Saves a deal, or forgets one that is saved. */
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
    [id, title, image, category].every((text) => typeof text === "string") && typeof finalPrice === "number"
  );
}
