import { type Selectors, SHOPS } from "./shops";

type Data = Record<string, unknown>;

/** Longest description and number of pictures that are taken along. */
const [MOST_TEXT, MOST_IMAGES] = [2000, 6];
/** Parameters that name the affiliate, which the product's own address lacks. */
const TAGS = ["tag", "affid", "affExtParam1", "affExtParam2"];

/**
 * Reads the product of a shop's page: what a known shop shows, JSON-LD, microdata and Open Graph, in
 * this order. Returns nothing for a page that is no product.
 */
export function readPage(page: Document, address: string): URLSearchParams | undefined {
  const here = new URL(address);
  const known = Object.keys(SHOPS).find((host) => `.${here.hostname}`.endsWith(`.${host}`));
  const shop: Selectors = SHOPS[known ?? ""] ?? {};
  const data = productData(page);
  const meta = (name: string) =>
    text(page.querySelector(`meta[property="${name}"],meta[name="${name}"]`)?.getAttribute("content"));
  const item = page.querySelector('[itemtype*="schema.org/Product"]');
  const prop = (name: string) => {
    const found = item?.querySelector(`[itemprop="${name}"]`);
    const attributes = ["content", "href", "src", "data-src"].map((each) => found?.getAttribute(each));
    return text(attributes.find(Boolean) ?? found?.textContent);
  };
  const shown = (selector = "") =>
    selector === ""
      ? []
      : [...page.querySelectorAll(selector)].map((found) => text(found.textContent)).filter(Boolean);

  const own = [shown(shop.brand)[0], shown(shop.title)[0]].filter(Boolean).join(" ");
  const isProduct = data || item || meta("product:price:amount") || /product/.test(meta("og:type"));
  const price = amount(shown(shop.price));
  if (!isProduct && !(own && price)) {
    return undefined;
  }

  const offer = offerOf(data);
  const rated = object(data?.aggregateRating);
  const inRupees = (currency: unknown) => /^(|INR|₹|Rs\.?)$/i.test(text(currency));
  const paid =
    price ||
    (inRupees(offer.priceCurrency) && amount([offer.price, offer.lowPrice])) ||
    (inRupees(prop("priceCurrency")) && amount([prop("price"), prop("lowPrice")])) ||
    (inRupees(meta("product:price:currency")) &&
      amount([meta("product:price:amount"), meta("og:price:amount")]));
  const listed =
    amount(shown(shop.mrp)) ||
    (inRupees(offer.priceCurrency) && amount([listPrice(offer), offer.highPrice])) ||
    amount([meta("product:original_price:amount")]);

  const fields = new URLSearchParams();
  const add = (name: string, ...values: unknown[]) => {
    const value = values.map(text).find(Boolean);
    if (value) {
      fields.append(name, value.slice(0, MOST_TEXT));
    }
  };
  add("title", own, data?.name, prop("name"), meta("og:title"), page.title);
  add("url", ownAddress(page, here, shop));
  add("price", paid);
  add("mrp", Number(listed) > Number(paid) && listed);
  const lines = shown(shop.about).join("\n");
  add(
    "description",
    lines,
    plain(data?.description),
    prop("description"),
    meta("og:description"),
    meta("description"),
  );
  const pictures = [
    ...shownImages(page, shop.image),
    ...images(data?.image),
    prop("image"),
    meta("og:image"),
  ];
  for (const picture of [...new Set(pictures.map((each) => absolute(each, here)))]
    .filter(Boolean)
    .slice(0, MOST_IMAGES)) {
    fields.append("image", picture);
  }
  add(
    "rating",
    ratingIn(shown(shop.rating)[0]),
    ratingIn(text(rated?.ratingValue)),
    ratingIn(prop("ratingValue")),
  );
  add(
    "ratings",
    ...[
      shown(shop.ratings)[0],
      rated?.ratingCount,
      rated?.reviewCount,
      prop("ratingCount"),
      prop("reviewCount"),
    ].map((each) => countIn(text(each))),
  );
  add("source", !known && meta("og:site_name"));
  add(
    "category",
    category(data?.category),
    ...shown("[class*=breadcrumb i],#wayfinding-breadcrumbs_feature_div"),
  );
  return fields;
}

/** Returns the first product in the page's JSON-LD. */
function productData(page: Document): Data | undefined {
  for (const script of page.querySelectorAll('script[type="application/ld+json"]')) {
    try {
      const found = productIn(JSON.parse(script.textContent?.replace(/[\n\r\t]/g, " ") ?? ""), 0);
      if (found) {
        return found;
      }
    } catch {
      // Shops write JSON that is none.
    }
  }
  return undefined;
}

function productIn(value: unknown, depth: number): Data | undefined {
  if (Array.isArray(value)) {
    return first(value, (each) => productIn(each, depth + 1));
  }
  const node = object(value);
  if (!node || depth > 6) {
    return undefined;
  }
  const types = [node["@type"]].flat().map(String);
  if (types.some((type) => /(^|[/:])(Individual)?Product(Model)?$/.test(type))) {
    return node;
  }
  const variant = first(["hasVariant", "@graph", "mainEntity", "mainEntityOfPage", "itemOffered"], (name) =>
    productIn(node[name], depth + 1),
  );
  const isGroup = types.some((type) => type.endsWith("ProductGroup"));
  return isGroup ? { ...node, offers: variant?.offers, ...variant } : variant;
}

function first<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function object(value: unknown): Data | undefined {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === "object" && one !== null ? (one as Data) : undefined;
}

/** Returns an offer, whose price may stand in its specification. */
function offerOf(data: Data | undefined): Data {
  const offer = object(data?.offers) ?? {};
  return { ...object(offer.priceSpecification), ...object(offer.offers), ...offer };
}

function listPrice(offer: Data): unknown {
  const all = [offer.priceSpecification].flat().map(object);
  return all.find((each) => /list|strike|msrp|srp/i.test(text(each?.priceType)))?.price;
}

function images(value: unknown): string[] {
  return [value].flat().map((each) => {
    const image = object(each);
    return text(image ? (image.contentUrl ?? image.url) : each);
  });
}

function shownImages(page: Document, selector = ""): string[] {
  return (selector === "" ? [] : [...page.querySelectorAll<HTMLElement>(selector)]).map((image) => {
    const [, background] = /url\(["']?(.+?)["']?\)/.exec(image.getAttribute("style") ?? "") ?? [];
    return text(
      background ??
        image.getAttribute("data-old-hires") ??
        image.getAttribute("data-src") ??
        image.getAttribute("src"),
    );
  });
}

function absolute(address: string, here: URL): string {
  try {
    const url = new URL(address, here);
    return address && /^https?:/.test(url.protocol) ? url.href : "";
  } catch {
    return "";
  }
}

/** Returns the product's own address, with the affiliate's parameters of the current one. */
function ownAddress(page: Document, here: URL, shop: Selectors): string {
  const id = shop.id?.[0].exec(here.pathname)?.[1];
  const canonical = absolute(page.querySelector("link[rel=canonical]")?.getAttribute("href") ?? "", here);
  const isOwn =
    canonical !== "" && new URL(canonical).host === here.host && new URL(canonical).pathname !== "/";
  const url = new URL(id ? `${shop.id?.[1]}${id}` : isOwn ? canonical : here.href, here);
  url.hash = "";
  for (const tag of TAGS) {
    const value = here.searchParams.get(tag);
    if (value) {
      url.searchParams.set(tag, value);
    }
  }
  return url.href;
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number"
    ? String(value)
        .replace(/[ \t\u00a0]+/g, " ")
        .trim()
    : "";
}

/** Returns a description without its markup. */
function plain(value: unknown): string {
  return text(value)
    .replace(/<[^>]*>/g, " ")
    .replace(/&nbsp;/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

function category(value: unknown): string {
  const one = object(value);
  return text(one ? one.name : [value].flat()[0]);
}

/** Returns the first amount, without its sign and commas. */
function amount(values: readonly unknown[]): string {
  for (const value of values) {
    const [, found] = /(\d+(?:,\d{2,3})*(?:\.\d{1,2})?)/.exec(text(value)) ?? [];
    const number = Number(found?.replaceAll(",", ""));
    if (number > 0) {
      return String(number);
    }
  }
  return "";
}

function ratingIn(shown = ""): string {
  const value = Number(/\d(\.\d+)?/.exec(shown)?.[0]);
  return value > 0 && value <= 5 ? String(value) : "";
}

/** Returns a count like 24,269 ratings, (1.2k) or 3 Lakh. */
function countIn(shown: string): string {
  const [, number = "", unit = ""] = /(\d[\d,]*(?:\.\d+)?)\s*(k|lakh|l\b|m\b)?/i.exec(shown) ?? [];
  const times = { k: 1e3, l: 1e5, lakh: 1e5, m: 1e6 }[unit.toLowerCase()] ?? 1;
  const count = Math.round(Number(number.replaceAll(",", "")) * times);
  return number !== "" && count > 0 ? String(count) : "";
}
