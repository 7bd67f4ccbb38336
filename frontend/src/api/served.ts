import { defaultShop, type Shop } from "../shop/shop";

/** What the server wrote into the page, so that nothing has to be asked for first. */
export interface Served {
  /** Answers of the API by their path. */
  answers: Readonly<Record<string, unknown>>;
  shop: Shop;
}

const NOTHING: Served = {
  answers: {},
  shop: defaultShop,
};

/** Milliseconds after its page for which a served answer counts as just asked for. */
const FRESH_FOR = 30_000;

let freshUntil = 0;
let keys: ReadonlySet<string> = new Set();

/** Reads what the page holds. */
export function readServed(page = document): Served {
  const text = page.getElementById("served")?.textContent;
  const served: Served = text ? { ...NOTHING, ...(JSON.parse(text) as Partial<Served>) } : NOTHING;
  keys = new Set(Object.keys(served.answers));
  freshUntil = cameAt() + FRESH_FOR;
  return served;
}

/** When the page came from the server; never, if the browser had kept it. */
function cameAt(): number {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const kept = page && (page.type === "back_forward" || page.transferSize === 0);
  return kept ? Number.NEGATIVE_INFINITY : (page?.responseEnd ?? performance.now());
}

/** Whether the answer to this came with the page, a moment ago. */
export function justServed(key: string): boolean {
  return keys.has(key) && performance.now() < freshUntil;
}

/** Lets every answer that came with the page be asked for again: something has changed since. */
export function forgetServed(): void {
  keys = new Set();
}

export const defaultServed = NOTHING;
