import { isSame, type PagePlace, simple } from "./place";

export type Data = Record<string, unknown>;

/** Types of schema.org that are products themselves, and those that are one with an offer. */
const PRODUCT = /(^|[/:])(individual)?product(model|group)?$/i;
const SOLD =
  /(^|[/:])(book|audiobook|movie|game|videogame|musicalbum|software\w*|vehicle|car|motorcycle|drug|course)$/i;
/** Names of what a node is about, as opposed to what is beside it. */
const INNER = ["@graph", "mainEntity", "mainEntityOfPage", "itemOffered", "about"];

/** Products in the structured data of a page. */
export interface FoundProduct {
  /** The page's own product. */
  own: Data | undefined;
  /** Products that belong to other pages. */
  others: number;
}

/** Returns the product of JSON-LD and microdata that is the page's own. */
export function ownProduct(page: Document, place: PagePlace): FoundProduct {
  const roots = [...page.querySelectorAll('script[type*="ld+json" i]')].map((script) =>
    parsed(script.textContent ?? ""),
  );
  const byId = new Map<unknown, Data>();
  roots.forEach((root) => {
    collect(root, byId, 0);
  });
  const written = roots.flatMap((root) => productsIn(root, byId, 0));
  const items = [...page.querySelectorAll('[itemscope][itemtype*="schema.org/Product" i]')]
    .filter((item) => !item.parentElement?.closest("[itemprop][itemscope]"))
    .map((item) => itemData(item, 0));
  const [ownWritten, ownItem] = [written, items].map((all) => chosen(all, place));
  const own = ownWritten && ownItem ? { ...ownItem, ...ownWritten } : (ownWritten ?? ownItem);
  return { own, others: written.length + items.length - (ownWritten ? 1 : 0) - (ownItem ? 1 : 0) };
}

/** Reads JSON that shops nearly wrote: in comments, with trailing commas, control characters, entities. */
function parsed(source: string): unknown {
  const bare = source
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none in its texts.
    .replace(/[\u0000-\u001f]+/g, (found) => (found.includes("\n") ? "\n" : " "))
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/<!--|-->|<!\[CDATA\[|\]\]>|\/\*[^*]*\*\//g, "")
    .replace(/\n/g, " ")
    .replace(/^[\s;\ufeff]+|[\s;]+$/g, "");
  const tries = [
    bare,
    bare.replace(/,\s*([}\]])/g, "$1"),
    bare.replace(/&quot;/g, '"'),
    `[${bare.replace(/\}\s*\{/g, "},{")}]`,
  ];
  for (const each of tries) {
    try {
      return JSON.parse(each);
    } catch {
      // The next spelling.
    }
  }
  return undefined;
}

export function object(value: unknown): Data | undefined {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === "object" && one !== null ? (one as Data) : undefined;
}

export function list(value: unknown): unknown[] {
  return value === undefined || value === null ? [] : [value].flat();
}

function collect(value: unknown, byId: Map<unknown, Data>, depth: number): void {
  if (Array.isArray(value)) {
    value.forEach((each) => {
      collect(each, byId, depth);
    });
  } else if (typeof value === "object" && value !== null && depth < 8) {
    const node = value as Data;
    if (node["@id"] !== undefined && Object.keys(node).length > 1) {
      byId.set(node["@id"], { ...node, ...byId.get(node["@id"]) });
    }
    for (const each of Object.values(node)) {
      collect(each, byId, depth + 1);
    }
  }
}

/** Puts what a reference like {"@id": "#offer"} names in its place. */
function resolved(value: unknown, byId: Map<unknown, Data>, depth: number): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => resolved(each, byId, depth));
  }
  if (typeof value !== "object" || value === null || depth > 6) {
    return value;
  }
  const node = value as Data;
  const named = Object.keys(node).length === 1 ? (byId.get(node["@id"]) ?? node) : node;
  return Object.fromEntries(
    Object.entries(named).map(([name, each]) => [name, resolved(each, byId, depth + 1)]),
  );
}

function productsIn(value: unknown, byId: Map<unknown, Data>, depth: number): Data[] {
  if (Array.isArray(value)) {
    return value.flatMap((each) => productsIn(each, byId, depth + 1));
  }
  const node = object(value);
  if (!node || depth > 6) {
    return [];
  }
  const types = list(node["@type"]).map(String);
  const isSold = node.offers !== undefined && types.some((type) => SOLD.test(type));
  if (types.some((type) => PRODUCT.test(type)) || isSold) {
    return [resolved(node, byId, 0) as Data];
  }
  return INNER.flatMap((name) => productsIn(node[name], byId, depth + 1));
}

/** Reads an element of microdata as JSON-LD would have it. */
function itemData(item: Element, depth: number): Data {
  const data: Data = { "@type": item.getAttribute("itemtype") ?? "" };
  for (const found of item.querySelectorAll("[itemprop]")) {
    if (found.parentElement?.closest("[itemscope]") !== item) {
      continue;
    }
    const names = (found.getAttribute("itemprop") ?? "").split(/\s+/);
    const attributes = ["content", "href", "src", "data-src"].map((each) => found.getAttribute(each));
    const value =
      found.hasAttribute("itemscope") && depth < 4
        ? itemData(found, depth + 1)
        : (attributes.find(Boolean) ?? found.textContent?.trim());
    for (const name of names) {
      data[name] = name in data ? [...list(data[name]), value] : value;
    }
  }
  return data;
}

/** Returns the product that a page is about, of all that it names. */
function chosen(products: readonly Data[], place: PagePlace): Data | undefined {
  const named = products.filter((each) => place.names.includes(simple(each.name)));
  const here = products.filter((each) => addresses(each).some((address) => isSame(address, place)));
  const both = here.filter((each) => named.includes(each));
  const unplaced = products.filter((each) => addresses(each).length === 0);
  const own = both[0] ?? here[0] ?? named[0] ?? (unplaced.length === 1 ? unplaced[0] : undefined);
  return own && variantOf(own, place);
}

function addresses(product: Data): string[] {
  const offers = list(product.offers).map(object);
  const all = [product.url, product["@id"], ...offers.map((offer) => offer?.url)];
  // The address of the whole shop places nothing.
  return all.filter(
    (each): each is string => typeof each === "string" && /^(https?:\/\/[^/]+)?\/./.test(each),
  );
}

/** Returns a group of variants as the one that the address names, or as the group where they differ. */
function variantOf(product: Data, place: PagePlace): Data {
  const variants = list(product.hasVariant)
    .map(object)
    .filter((each) => each !== undefined);
  const asked = variants.filter((each) => addresses(each).some((address) => isSame(address, place, true)));
  const skus = variants.filter((each) => place.values.has(String(each.sku ?? each.productID ?? "")));
  const variant = [asked, skus, variants].find((each) => each.length === 1)?.[0];
  if (variant) {
    return { ...product, ...variant };
  }
  return variants.length > 0
    ? { ...product, offers: variants.flatMap((each) => list(each.offers)) }
    : product;
}
