/** Where a page stands, and what it calls itself. */
export interface PagePlace {
  here: URL;
  /** Names of the page, for comparisons. */
  names: readonly string[];
  /** Values in its address, of which one may be the variant's. */
  values: ReadonlySet<string>;
}

/** Parameters that choose a variant at shops without rules of their own. */
const VARIANT =
  /^(variant|variation|variation_id|vid|sku|skuid|pid|color|colour|size|style|option|id|product_id|attribute_.*)$/i;
/** Parameters that name the affiliate, which the product's own address lacks. */
const TAGS = ["tag", "affid", "affExtParam1", "affExtParam2"];

export function placeOf(page: Document, here: URL, shownNames: readonly unknown[]): PagePlace {
  const headings = [...page.querySelectorAll("h1")].map((each) => each.textContent);
  return {
    here,
    names: [...headings, ...shownNames].map(simple).filter(Boolean),
    values: new Set(here.searchParams.values()),
  };
}

/**
 * Returns true if an address leads to this page, however much of it the shop spells: the last part of
 * one stands in the other. With `variant`, also the choice of the variant is the same.
 */
export function isSame(address: string, { here }: PagePlace, variant = false): boolean {
  const other = toUrl(address, here);
  if (!other || bare(other.host) !== bare(here.host)) {
    return false;
  }
  if (variant) {
    const chosen = [...other.searchParams];
    return chosen.length > 0
      ? chosen.every(([name, value]) => here.searchParams.get(name) === value)
      : other.pathname === here.pathname;
  }
  const [theirs, ours] = [other, here].map(({ pathname }) => pathname.split("/").filter(Boolean));
  return ours?.includes(theirs?.at(-1) ?? "") === true || theirs?.includes(ours?.at(-1) ?? "") === true;
}

/** Returns the product's own address, with the variant and the affiliate's parameters of the current one. */
export function ownAddress(page: Document, place: PagePlace, id?: [RegExp, string], isKnown = false): string {
  const { here } = place;
  const found = id?.[0].exec(here.pathname)?.[1];
  const canonical = page.querySelector("link[rel=canonical]")?.getAttribute("href") ?? "";
  const isOwn = canonical !== "" && isSame(canonical, place);
  const url = new URL(found ? `${id?.[1]}${found}` : isOwn ? canonical : here.href, here);
  url.hash = "";
  for (const [name, value] of here.searchParams) {
    if (TAGS.includes(name) || (!isKnown && VARIANT.test(name))) {
      url.searchParams.set(name, value);
    }
  }
  return url.href;
}

/** Returns an address of the web; nothing for any other. */
export function toUrl(address: string, here: URL): URL | undefined {
  const url = address.trim() !== "" && URL.canParse(address, here.href) ? new URL(address, here) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

function bare(host: string): string {
  return host.replace(/^(www|m)\./, "");
}

/** Returns a name for comparisons. */
export function simple(text: unknown): string {
  return String(text ?? "")
    .toLowerCase()
    .replace(/&#?\w+;/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
