import { useMemo } from "react";
import { store, stored, useStored } from "./storage";

const KEY = "visits";
const OFF = "off";
/** Milliseconds without a look at the list after which the next one is another visit. */
const PAUSE = 30 * 60_000;

interface Visits {
  /** Last look at the list in this visit, in milliseconds. */
  at: number;
  /** The same of the visit before. */
  before?: number;
}

/** Records a look at the list, unless it is turned off. */
export function recordVisit(now = Date.now()): void {
  const text = stored(KEY);
  if (text === OFF) {
    return;
  }
  const { at, before } = read(text) ?? {};
  const last = at !== undefined && now - at > PAUSE ? at : before;
  store(KEY, JSON.stringify({ at: now, ...(last === undefined ? {} : { before: last }) }));
}

/** Returns when the visit before ended, in milliseconds; undefined at the first one and if it is turned off. */
export function useVisitBefore(): number | undefined {
  const text = useStored(KEY);
  return useMemo(() => read(text)?.before, [text]);
}

export function useVisitsOff(): boolean {
  return useStored(KEY) === OFF;
}

export function turnVisits(on: boolean): void {
  store(KEY, on ? null : OFF);
}

function read(text: string | null): Visits | undefined {
  try {
    const visits: unknown = JSON.parse(text ?? "null");
    const { at, before } = (visits ?? {}) as Record<string, unknown>;
    if (typeof at !== "number") {
      return undefined;
    }
    return typeof before === "number" ? { at, before } : { at };
  } catch {
    return undefined;
  }
}
