import { store, stored, useStored } from "./storage";

const KEY = "visits";
const OFF = "off";
/** Milliseconds without a look at the list after which the next one is another visit. */
const PAUSE = 30 * 60_000;

/** Records a look at the list, unless it is turned off. */
export function recordVisit(now = Date.now()): void {
  const text = stored(KEY);
  if (text === OFF) {
    return;
  }
  const [at, before] = read(text);
  store(KEY, `${now} ${(at && now - at > PAUSE ? at : before) ?? ""}`);
}

/** Returns when the visit before ended, in milliseconds; undefined at the first one and if it is turned off. */
export function useVisitBefore(): number | undefined {
  return read(useStored(KEY))[1];
}

export function useVisitsOff(): boolean {
  return useStored(KEY) === OFF;
}

export function turnVisits(on: boolean): void {
  store(KEY, on ? null : OFF);
}

/** Returns the last look at the list in this visit, and the same of the visit before, in milliseconds. */
function read(text: string | null): number[] {
  return (text ?? "").split(" ").map(Number).filter(Boolean);
}
