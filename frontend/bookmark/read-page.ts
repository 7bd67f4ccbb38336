import { count, isForeign, rupees, shownRupees, stars } from "./amounts";
import { ownAddress, type PagePlace, placeOf, simple, toUrl } from "./place";
import { agreed, offered, ownPart, struck } from "./prices";
import { type Selectors, SHOPS } from "./shops";
import { type Data, list, object, ownProduct } from "./structured";

/** Longest description and number of pictures that are taken along. */
const [MOST_TEXT, MOST_IMAGES] = [2000, 6];
const SOLD_OUT =
  /^(sold out|(currently )?(out of stock|unavailable)|this item is (currently )?(out of stock|unavailable))\b/i;

/**
 * Reads the product of a shop's page: JSON-LD, microdata, Open Graph, and what a known shop shows.
 * Where these disagree about the price, none is taken. Returns nothing for a page that is no product.
 */
export function readPage(page: Document, address: string): URLSearchParams | undefined {
  const here = new URL(address);
  const known = Object.keys(SHOPS).find((host) => `.${here.hostname}`.endsWith(`.${host}`));
  const shop: Selectors = SHOPS[known ?? ""] ?? {};
  const text = textReader(page);
  const meta = (name: string) =>
    text(page.querySelector(`meta[property="${name}"],meta[name="${name}"]`)?.getAttribute("content"));
  const isOwn = ownPart(page);
  const shown = (selector = "") =>
    (selector === "" ? [] : [...page.querySelectorAll(selector)])
      .filter(isOwn)
      .map((found) => text(found.textContent))
      .filter(Boolean);

  const own = [shown(shop.brand)[0], shown(shop.title)[0]].filter(Boolean).join(" ");
  const site = meta("og:site_name");
  const title = withoutSite(meta("og:title"), site) || withoutSite(text(page.title), site);
  const place = placeOf(page, here, [own, title]);
  const { own: found, others } = ownProduct(page, place);
  const isKnown = own !== "" && shop.path?.test(here.pathname) === true;
  const isProduct = /product/.test(meta("og:type")) || meta("product:price:amount") !== "";
  if (!found && !isProduct && !isKnown && !isStale(page, place, others)) {
    return undefined;
  }

  const data: Data = found ?? {};
  const currency = meta("product:price:currency") || meta("og:price:currency");
  const offer = offered(data, place, currency);
  const price = agreed([
    inWholeRupees(offer, page),
    metaPrices(meta, isForeign(currency)),
    { paid: firstShown(shown(shop.price)), listed: firstShown(shown(shop.mrp)) },
    struck(page, isOwn),
  ]);
  const rated = object(data.aggregateRating);
  const soldOut =
    offer.soldOut || (price.paid === "" && price.doubt.length === 0 && saysSoldOut(page, isOwn));

  const fields = new URLSearchParams();
  const add = (name: string, ...values: unknown[]) => {
    const value = values.map(text).find(Boolean);
    if (value) {
      fields.append(name, value.slice(0, MOST_TEXT));
    }
  };
  const isOther = !found && others > 0;
  add("title", own, data.name, isOther ? page.querySelector("h1")?.textContent : title, title);
  add("url", ownAddress(page, place, shop.id, known !== undefined));
  if (soldOut) {
    add("soldOut", "1");
  } else {
    add("price", price.paid);
    add("mrp", price.listed);
    price.doubt.forEach((each) => {
      fields.append("doubt", each);
    });
  }
  add(
    "description",
    shown(shop.about).join("\n"),
    plain(text(data.description)),
    meta("og:description"),
    meta("description"),
  );
  const pictures = [...shownImages(page, shop.image), ...images(data.image), isOther ? "" : meta("og:image")];
  const addresses = pictures.map((each) => toUrl(text(each), here)?.href ?? "").filter(Boolean);
  for (const picture of [...new Set(addresses)].slice(0, MOST_IMAGES)) {
    fields.append("image", picture);
  }
  add("rating", stars(shown(shop.rating)[0]), stars(rated?.ratingValue, rated?.bestRating));
  add("ratings", ...[shown(shop.ratings)[0], rated?.ratingCount, rated?.reviewCount].map(count));
  add("source", !known && site);
  add(
    "category",
    category(data.category),
    ...shown("[class*=breadcrumb i],#wayfinding-breadcrumbs_feature_div"),
  );
  return fields;
}

/**
 * Returns true if an app moved on to another product, and its head still is the last one's: nothing
 * but the address and the heading can be trusted.
 */
function isStale(page: Document, place: PagePlace, others: number): boolean {
  const canonical = page.querySelector("link[rel=canonical]")?.getAttribute("href") ?? "";
  const last = (path: string) => path.split("/").filter(Boolean).slice(0, -1).join("/");
  const other = toUrl(canonical, place.here);
  return (
    others === 1 &&
    other !== undefined &&
    other.pathname !== place.here.pathname &&
    last(other.pathname) === last(place.here.pathname) &&
    page.querySelector("h1") !== null
  );
}

/** Returns an amount of structured data in rupees, if the page shows only a hundredth of it: paise. */
function inWholeRupees<P extends { paid: string }>(prices: P, page: Document): P {
  const [paid, body] = [Number(prices.paid), (page.body.textContent ?? "").replace(/[,\s]/g, "")];
  const shows = (amount: number) => new RegExp(`(?<!\\d)(?<!\\d\\.)${amount}(?!\\d)`).test(body);
  return paid >= 1000 && paid % 1 === 0 && !shows(paid) && shows(paid / 100) && /₹|rs/i.test(body)
    ? { ...prices, paid: String(paid / 100) }
    : prices;
}

function metaPrices(meta: (name: string) => string, foreign: boolean) {
  const amount = (...names: string[]) => names.map((name) => rupees(meta(name))).find(Boolean) ?? "";
  const [sale, plain] = [
    amount("product:sale_price:amount"),
    amount("product:price:amount", "og:price:amount"),
  ];
  const listed = amount("product:original_price:amount");
  return foreign
    ? { paid: "", listed: "" }
    : { paid: sale || plain, listed: listed || (sale !== "" ? plain : "") };
}

/** Returns the first of the shown texts that is an amount; nothing if that one is a range. */
function firstShown(texts: readonly string[]): string {
  const first = texts.find((each) => /\d/.test(each) && !/%/.test(each)) ?? "";
  return rupees(first) || shownRupees(first);
}

function saysSoldOut(page: Document, isOwn: (element: Element) => boolean): boolean {
  return [...page.querySelectorAll("body *")].some(
    (each) => each.childElementCount === 0 && SOLD_OUT.test(each.textContent?.trim() ?? "") && isOwn(each),
  );
}

/** Returns a reader of texts that decodes entities as often as they were encoded. */
function textReader(page: Document): (value: unknown) => string {
  const box = page.implementation.createHTMLDocument("").createElement("textarea");
  const decoded = (value: string, times: number): string => {
    if (times === 0 || !/&(#\w+|\w+);/.test(value)) {
      return value;
    }
    try {
      box.innerHTML = value;
      return decoded(box.value, times - 1);
    } catch {
      // The shop's policy forbids markup made by scripts.
      return value;
    }
  };
  return (value) =>
    typeof value === "string" || typeof value === "number"
      ? decoded(String(value), 3)
          .replace(/[ \t\u00a0]+/g, " ")
          .trim()
      : "";
}

/** Returns a title without the shop's name behind it. */
function withoutSite(title: string, site: string): string {
  const parts = title.split(/\s+[|–—·•:-]\s+/);
  const last = simple(parts.at(-1));
  return parts.length > 1 && site !== "" && last === simple(site)
    ? title.slice(0, title.lastIndexOf(parts.at(-1) ?? "")).replace(/[\s|–—·•:-]+$/, "")
    : title;
}

/** Returns a description without its markup. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

function images(value: unknown): unknown[] {
  return list(value).flatMap((each) => {
    const image = object(each);
    return image ? list(image.contentUrl ?? image.url) : [each];
  });
}

function shownImages(page: Document, selector = ""): unknown[] {
  return (selector === "" ? [] : [...page.querySelectorAll<HTMLElement>(selector)]).map((image) => {
    const [, background] = /url\(["']?(.+?)["']?\)/.exec(image.getAttribute("style") ?? "") ?? [];
    return (
      background ??
      image.getAttribute("data-old-hires") ??
      image.getAttribute("data-src") ??
      image.getAttribute("src")
    );
  });
}

function category(value: unknown): unknown {
  const one = object(value);
  return one ? one.name : list(value)[0];
}
