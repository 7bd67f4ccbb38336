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
  /** The last look at the saved deals, and the last of the visit before. */
  seen?: Look;
  before?: Look;
}

/** Price and state of a saved deal at the last visit. */
interface Look {
  /** In milliseconds. */
  at: number;
  ended: boolean;
  /** Rupees, if the seller's rules allow a device to keep them. */
  finalPrice?: number;
}

const KEY = "saved";
/** Maximum number of saved deals; the oldest is dropped. */
const MOST = 100;
/** Milliseconds without a look after which the next one is another visit. */
const PAUSE = 30 * 60_000;

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

/** Records what a look found, to be compared at the next visit. */
export function recordLook(id: string, found: Omit<Look, "at">, now = Date.now()): void {
  const saved = read(stored(KEY)).map((deal) => {
    const before = lookBefore(deal, now);
    return deal.id === id ? { ...deal, ...(before && { before }), seen: { ...found, at: now } } : deal;
  });
  store(KEY, saved.length === 0 ? null : JSON.stringify(saved));
}

/** Returns what the last look of the visit before found; undefined at the first visit. */
export function lookBefore({ seen, before }: SavedDeal, now = Date.now()): Look | undefined {
  return isLook(seen) && now - seen.at > PAUSE ? seen : isLook(before) ? before : undefined;
}

function isLook(look: Partial<Look> | undefined): look is Look {
  return typeof look?.at === "number" && typeof (look.finalPrice ?? 0) === "number";
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
