import { defaultShop, type Shop } from "../shop/shop";

/** Data that the server embeds in a page, so that the app needs no request to start. */
export interface PageData {
  /** Answers of the API by their path. */
  answers: Readonly<Record<string, unknown>>;
  shop: Shop;
}

export const NO_PAGE_DATA: PageData = { answers: {}, shop: defaultShop };

/** Milliseconds after the page's response for which its answers are not requested again. */
const FRESH_FOR = 30_000;

let freshUntil = 0;
let paths: ReadonlySet<string> = new Set();

export function readPageData(page = document): PageData {
  const data = parsePageData(page.getElementById("served")?.textContent || "{}");
  paths = new Set(Object.keys(data.answers));
  freshUntil = responseTime() + FRESH_FOR;
  return data;
}

/** Parses the text of the element with a page's data. */
export function parsePageData(text: string): PageData {
  return { ...NO_PAGE_DATA, ...(JSON.parse(text) as Partial<PageData>) };
}

/** Returns when the server sent the page: never, if it is from the browser's cache. */
function responseTime(): number {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const cached = page && (page.type === "back_forward" || page.transferSize === 0);
  return cached ? Number.NEGATIVE_INFINITY : (page?.responseEnd ?? performance.now());
}

/** Returns true if the page came with the answer of this call a moment ago. */
export function isFresh(path: string): boolean {
  return paths.has(path) && performance.now() < freshUntil;
}

/** Marks all answers that came with the page as out of date. */
export function expirePageData(): void {
  paths = new Set();
}
