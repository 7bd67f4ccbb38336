/** What the server wrote into the page, so that nothing has to be asked for first. */
export interface Served {
  /** Answers of the API by their path. */
  answers: Readonly<Record<string, unknown>>;
  /** How the shop tells that it earns by its links. */
  disclosure: string;
}

const NOTHING: Served = {
  answers: {},
  disclosure: "We may earn a commission when you buy through links on this site.",
};

/** Milliseconds for which a served answer counts as just asked for (spec section 9). */
const FRESH_FOR = 2_000;

let freshUntil = 0;
let keys: ReadonlySet<string> = new Set();

/** Reads what the page holds. */
export function readServed(): Served {
  const text = document.getElementById("served")?.textContent;
  const served: Served = text ? { ...NOTHING, ...(JSON.parse(text) as Partial<Served>) } : NOTHING;
  keys = new Set(Object.keys(served.answers));
  freshUntil = performance.now() + FRESH_FOR;
  return served;
}

/** Whether the answer to this came with the page, a moment ago. */
export function justServed(key: string): boolean {
  return keys.has(key) && performance.now() < freshUntil;
}

export const defaultServed = NOTHING;
