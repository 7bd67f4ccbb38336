import { maxDescription, maxImages, maxSource, maxTitle } from "../../../lib/constants.json";
import { isWebAddress, type ProductFormValues } from "../../../schemas/product";
import { amountsIn, toAmount } from "./amounts";
import { LINK, linksIn } from "./links";
import { SHOP_NAME, sellerAt } from "./shops";

/** A deal from outside, as far as it could be understood. */
export interface Deal {
  values: Partial<ProductFormValues>;
  /** Links of which one is filled in. */
  links: readonly string[];
  /** Words that help to find the category. */
  words: string;
  /** Says what was found, and what to do if that is not enough. */
  sentence: string;
  /** Id of the shop's own deal to which the link leads, as addresses have it. */
  own: string | undefined;
}

/**
 * Reads a deal that a share sheet, a bookmark or a link brought: `fields` is a query or a fragment,
 * `home` the shop's own origin. Everything is text to be checked by the owner.
 */
export function readDeal(fields: string, home: string): Deal {
  const parameters = new URLSearchParams(fields);
  const field = (name: string) => (parameters.get(name) ?? "").trim().slice(0, maxDescription);
  const [title, text, url] = [field("title"), field("text"), field("url")];
  const found = [...new Set([url, text, title].flatMap(linksIn))];
  const links = found.filter((link) => new URL(link).origin !== home);
  const [link] = links;
  const images = parameters.getAll("image").map((image) => image.trim());
  const pictures = images.filter(isWebAddress).slice(0, maxImages);
  const robots = ROBOTS.test(title);
  const amounts = amountsIn(`${title}\n${text}`.replace(LINK, " "));
  const price = toAmount(field("price")) ?? amounts.price;
  const mrp = toAmount(field("mrp")) ?? amounts.mrp;
  const seller = link === undefined ? "" : sellerAt(link);
  const values: Partial<ProductFormValues> = {
    title: (robots ? "" : titleIn(title)) || titleIn(text),
    description: field("description"),
    ...pricesOf(price, mrp),
    source: (field("source") || seller).slice(0, maxSource),
    affiliateLink: link ?? "",
    images: pictures.length > 0 ? pictures : [""],
    averageRating: field("rating"),
    totalRatings: field("ratings"),
  };
  const own =
    found.length > links.length && link === undefined
      ? /\/details\/([^/?#]+)/.exec(found[0] ?? "")?.[1]
      : undefined;
  const refused =
    (url !== "" && linksIn(url).length === 0) || pictures.length < images.filter(Boolean).length;
  return {
    values,
    links,
    words: `${values.title} ${field("category")}`.trim(),
    sentence: [
      aboutLinks(links, seller, found.length > links.length),
      robots && "The title is left out: the shop showed a page for robots.",
      refused && "An address that is not of the web is left out.",
    ]
      .filter(Boolean)
      .join(" "),
    own,
  };
}

function aboutLinks(links: readonly string[], seller: string, leadsHome: boolean): string {
  if (links.length > 1) {
    return `The text has ${links.length} links. The first is filled in: choose yours.`;
  }
  if (links.length === 1) {
    return `From ${seller}. Check what is filled in.`;
  }
  return leadsHome
    ? "This link leads to your own shop. Share the deal from the shop that sells it."
    : "It has no link to a shop. Paste one below, or share the deal again.";
}

/** Price, discount and final price as the form has them. */
function pricesOf(price: string | undefined, mrp: string | undefined): Partial<ProductFormValues> {
  if (price === undefined) {
    return {};
  }
  return mrp !== undefined && Number(mrp) > Number(price)
    ? { price: mrp, finalPrice: price, discount: "" }
    : { price, finalPrice: "", discount: "0" };
}

/** Titles of pages that shops show to robots, and of their failures. */
const ROBOTS =
  /robot check|you( are|'re)?( not)? an? (human|robot)|access denied|just a moment|attention required|pardon our|captcha|security check|checking your browser|^sorry!|^\W*(error )?[45]0\d\b|service unavailable|page not found/i;

const SHOP = new RegExp(`^\\W*${SHOP_NAME}\\W*$`, "i");
/** Phrases of apps before the product, and of apps and pages behind it. */
const LEADS = [
  /^(hey+|hi|hello|deal alert|loot|price drop|(shop|buy) now)[!,.: ]+/i,
  new RegExp(
    `^(please )?(check (this|it) out|check (out )?(this|the|what)|check out|(have|take) a look at( this)?|look (at )?(this|what)|(i )?(just )?found this)\\b( (awesome|amazing|great|cool))*( (product|item|deal|style)\\b)?( i (found|like|love))?( (on|at|from) ${SHOP_NAME})?[\\s!:,.–-]*`,
    "i",
  ),
  /^buy (?!\d)/i,
];
const TAILS = [
  /\s+price in india\b.*$/i,
  new RegExp(`\\s*[:|–-]\\s*(buy .* )?(online )?((at|on|from) )?${SHOP_NAME}\\b.*$`, "i"),
  new RegExp(`\\s+(on|at|from) ${SHOP_NAME}\\W*$`, "i"),
  /\s+online (at|in|from|on)\b.*$/i,
];
/** Lines about the sale, not the product. */
const ASIDE =
  /^\W*(price|m\.?r\.?p|deal price|free delivery|cash on|cod\b|easy return|offer|rating|download|use code|coupon|apply|link|(buy|shop) here|click|hurry)/i;

/** Returns the product's name in a page's title or a shared text; nothing if there is none. */
function titleIn(text: string): string {
  for (const line of text.split(/\n+/)) {
    const title = cleaned(line);
    if (/\p{L}{2}/u.test(title) && !ASIDE.test(title) && !SHOP.test(title) && !ROBOTS.test(title)) {
      return title.slice(0, maxTitle).trim();
    }
  }
  return "";
}

function cleaned(line: string): string {
  // Text before the first link, or else behind it.
  const part = line.split(LINK).find((each) => /\p{L}{2}/u.test(each)) ?? "";
  let title = part.replace(/\s+/g, " ").trim();
  const { at } = amountsIn(title);
  if (at !== undefined && at > 0) {
    title = title.slice(0, at).replace(/\W*(?:\b(?:now|at|for|only|just|price)\b\W*)*$/i, "");
  }
  for (const part of [...LEADS, ...TAILS]) {
    title = title.replace(part, "").trim();
  }
  return title.replace(/^[\s"'“”*:–-]+|[\s"'“”*:–([{-]+$/g, "");
}
