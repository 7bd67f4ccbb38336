import { maxImages } from "../../../lib/constants.json";
import type { OfferValues } from "../../../schemas/offers";
import { isWebAddress, type ProductFormValues } from "../../../schemas/product";
import { fields } from "../../../shop/fields.json";
import { amountsIn, aroundAmounts, behindAmount, toAmount } from "./amounts";
import { couponsIn } from "./coupons";
import { LINK, linksIn, sellersFirst, titleOfLink, withSchemes } from "./links";
import { SHOP_NAME, sellerAt } from "./shops";

/** A deal from outside, as far as it could be understood. */
export interface Deal {
  values: Partial<ProductFormValues>;
  /** Links of which one is filled in. */
  links: readonly string[];
  /** Ids of photos that were shared with it. */
  photos: readonly string[];
  /** Words that help to find the category. */
  words: string;
  /** Says what was found, and what to do if that is not enough. */
  sentence: string;
  /** The seller's page, if nothing but its link is known. */
  page?: string | undefined;
  /** Id of the shop's own deal to which the link leads, as addresses have it. */
  own: string | undefined;
}

/**
 * Reads a deal that a share sheet, a bookmark or a link brought: `query` is a query or a fragment,
 * `home` the shop's own origin. Everything is text to be checked by the owner.
 */
export function readDeal(query: string, home: string): Deal {
  const parameters = new URLSearchParams(query);
  const field = (name: string) => (parameters.get(name) ?? "").trim().slice(0, fields.description.most);
  const [title, text, url] = [field("title"), field("text"), field("url")];
  const found = [...new Set([url, text, title].flatMap(linksIn))];
  const links = sellersFirst(found.filter((link) => new URL(link).origin !== home));
  const leadsHome = found.some((link) => new URL(link).origin === home);
  const [link] = links;
  const images = parameters.getAll("image").map((image) => image.trim());
  const pictures = images.filter(isWebAddress).slice(0, maxImages);
  const robots = ROBOTS.test(title);
  const amounts = amountsIn(withSchemes(`${title}\n${text}`).replace(LINK, " "));
  const doubt = parameters.getAll("doubt").filter((amount) => toAmount(amount) !== undefined);
  const soldOut = field("soldOut") !== "";
  const isOpen = doubt.length === 0 && !soldOut;
  const price = toAmount(field("price")) ?? (isOpen ? amounts.price : undefined);
  const mrp = toAmount(field("mrp")) ?? (isOpen ? amounts.mrp : undefined);
  const seller = link === undefined ? "" : sellerAt(link);
  const named = (robots ? "" : titleIn(title)) || titleIn(text);
  const isLinkOnly = named === "" && price === undefined && link !== undefined && seller !== "";
  const values: Partial<ProductFormValues> = {
    title: named || (isLinkOnly ? titleOfLink(link).slice(0, fields.title.most) : ""),
    description: field("description"),
    ...pricesOf(price, mrp),
    source: (field("source") || seller).slice(0, fields.source.most),
    affiliateLink: link ?? "",
    images: pictures.length > 0 ? pictures : [""],
    averageRating: field("rating"),
    totalRatings: field("ratings"),
    offers: couponsIn(`${title}\n${text}`.replace(LINK, " ")),
  };
  const own =
    leadsHome && link === undefined
      ? first(found.map((each) => /\/details\/([^/?#]+)/.exec(each)?.[1]))
      : undefined;
  const refused =
    (url !== "" && linksIn(url).length === 0) || pictures.length < images.filter(Boolean).length;
  return {
    values,
    links,
    photos: parameters.getAll("photo"),
    words: `${values.title} ${field("category")}`.trim(),
    sentence: [
      isLinkOnly && links.length === 1
        ? `From ${seller}. A link alone does not tell price and picture: copy them from its page.`
        : aboutLinks(links, seller, leadsHome),
      aboutCoupons(values.offers ?? []),
      soldOut && "The seller says that it is sold out.",
      doubt.length > 0 &&
        `Its page names different prices: ${doubt.map((each) => `₹${each}`).join(" and ")}. Type the right one.`,
      robots && "The title is left out: the seller showed a page for robots.",
      refused && "An address that is not of the web is left out.",
    ]
      .filter(Boolean)
      .join(" "),
    ...(isLinkOnly && { page: link }),
    own,
  };
}

function aboutLinks(links: readonly string[], seller: string, leadsHome: boolean): string {
  if (links.length > 1) {
    return `The text has ${links.length} links. The first is filled in: choose yours.`;
  }
  if (links.length === 1) {
    return seller === ""
      ? "The link does not say which seller it leads to: press Resolve below, or type its name at Source."
      : `From ${seller}. Check what is filled in.`;
  }
  return leadsHome
    ? "This link leads to your own shop. Share the deal from its seller."
    : "It has no link to a seller. Paste one below, or share the deal again.";
}

function aboutCoupons(offers: readonly OfferValues[]): string | false {
  const [first, ...others] = offers;
  if (first === undefined) {
    return false;
  }
  if (others.length > 0) {
    return `${offers.length} coupons are filled in at Offers: check them.`;
  }
  return first.code === ""
    ? "A coupon is filled in at Offers: check it."
    : `The coupon ${first.code} is filled in at Offers: check it.`;
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

/** Character around a name: no letter, digit or mark. */
const EDGE = "[^\\p{L}\\p{N}\\p{M}]";
const SHOP = new RegExp(`^${EDGE}*${SHOP_NAME}${EDGE}*$`, "iu");
/** Words of banners, which name no product. */
const BANNER =
  "loot|deals?|offers?|hot|steal|flash|sale|lightning|super|mega|dhamaka|alert|limited time|best|today|of the day|big|price drop|new|live|trending|exclusive|special|amazing|maha|great";
const ONLY_BANNER = new RegExp(`^(?:(?:${BANNER}|price|now|only|the|s)(?!\\p{L})|[^\\p{L}])+$`, "iu");
/** Labels with an amount, before a name on the same line. */
const PRICED_LABEL = new RegExp(
  `^${EDGE}*(?:(?:${BANNER}|old|effective|final|discounted|our) )?(?:price|m\\.?r\\.?p)\\b[^\\p{L}\\d₹]*(?=₹|rs|inr|\\d)`,
  "iu",
);
const HASHTAG = /(?<![\p{L}\p{N}&])#\p{L}[\p{L}\p{M}\p{N}_]*/gu;
/** Phrases of apps before the product, and of apps and pages behind it. */
const LEADS = [
  new RegExp(`^[^\\p{L}\\p{N}]*(?:(?:${BANNER})(?!\\p{L})[\\s'’s]*)+[!:|\\])–-]+\\s*`, "iu"),
  /^(?:(?:product|item)(?: name)?|title|name)\s*[:=–-]\s*/i,
  /^(?:(?:flat|up ?to|min(?:imum)?\.?) )?\d{1,2}\s?% (?:off|discount)[\s:!|–-]*/i,
  /^grab(?: (?:now|this|the))?\s+/i,
  /^(?:hey+|hi|hello|deal alert|loot|price drop|(?:shop|buy) now)(?!\p{L})[!,.: ]*/iu,
  new RegExp(
    `^(please )?(check (this|it) out|check (out )?(this|the|what)|check out|(have|take) a look at( this)?|look (at )?(this|what)|(i )?(just )?found this)\\b( (awesome|amazing|great|cool))*( (product|item|deal|style)\\b)?( i (found|like|love))?( (on|at|from) ${SHOP_NAME})?[\\s!:,.–-]*`,
    "i",
  ),
  /^buy (?!\d)/i,
];
const TAILS = [
  /\s*[|,(–-]\s*(?:flat |up ?to )?\d{1,2}\s?% (?:off|discount)\W*$/i,
  /[\s|(,–-]+(?:use|apply|with)\s+(?:(?:the|this|promo|coupon|discount)\s+)*(?:code|coupon)(?!\p{L}).*$/iu,
  /[|(,–-]\s*(?:Use|USE|use|Apply|APPLY|apply)\s+[A-Z0-9_-]{4,}\W*$/,
  /\s+price in india\b.*$/i,
  new RegExp(`\\s*[:|–-]\\s*(buy .* )?(online )?((at|on|from) )?${SHOP_NAME}\\b.*$`, "i"),
  new RegExp(`\\s+(on|at|from) ${SHOP_NAME}\\W*$`, "i"),
  /\s+online (at|in|from|on)\b.*$/i,
];
/** Lines about the sale, the channel or the sharing, not the product. */
const ASIDE = new RegExp(
  `^${EDGE}*(price|m\\.?r\\.?p|(deal|offer|old|new|effective|best|loot|sale|special|final|discounted|our|today.?s) price|free delivery|delivery|cash on|cod\\b|easy return|offer|rating|download|use code|coupon|apply|link|(buy|shop) (here|now|link)|order (here|now)|click|hurry|join|subscribe|follow|share (this|with)|read more|see more|more deals|for more|visit|telegram|whatsapp|emi\\b|discount\\b\\s*:|refer\\b|(?:promo |voucher )?code\\s*[:=–-]|कूपन|कोड|जुड़|ज्वाइन|शेयर)`,
  "iu",
);
/** Words of chats around a product, which say nothing about it. */
const FILLER =
  "now|at|for|only|just|price|flash|sale|hot|steal|lightning|best|super|mega|special|today.?s|sirf|ab|mere|in|me|mein|mil|raha|rahi|hai|wala|wali|bhai|guys|loot|deal|deals?|alert|grab|get|hurry|fast|starts?|starting|from|flat|upto|emi|mrp|final|effective|cost|off|discount|cashback|drop|of|on|offer|bank|exchange|bonus|deposit|dropped|to|new|old|today|मात्र|केवल|सिर्फ|में|का|की";
const ONLY_FILLER = new RegExp(`^(?:(?:${FILLER})(?!\\p{L})|[^\\p{L}])*$`, "iu");
const FILLER_BEFORE =
  /^(?:(?:me|mein|में|only|wala|wali|वाला|off|on|है|hai|mil|raha|rahi)(?!\p{L})[^\p{L}\d]*)+/iu;
const FILLER_BEHIND = new RegExp(
  `(?:(?<![\\p{L}\\d])(?:(?:deal|offer|best|loot|sale|special|effective|final|discounted) price|now|at|for|only|just|price|sirf|ab|@|loot|emi|starts?|starting|from|mrp|worth|was|dropped|drop|bank|offer|(?:ab )?sirf|deposit|मात्र|केवल|सिर्फ)${EDGE}*|[^\\p{L}\\p{N}\\p{M})\\]"'”’+%.]+)+$`,
  "iu",
);

/** Returns the product's name in a page's title or a shared text; nothing if there is none. */
function titleIn(text: string): string {
  const lines = withSchemes(text).replace(HASHTAG, " ").split(/\n+/);
  const unlabelled = lines.filter((line) => PRICED_LABEL.test(line)).map(withoutLabels);
  for (const line of [...lines, ...unlabelled]) {
    if (ASIDE.test(line)) {
      continue;
    }
    const title = cleaned(line);
    const isName = NAME.test(title) && !ONLY_BANNER.test(title) && !ASIDE.test(title);
    if (isName && !SHOP.test(title) && !ROBOTS.test(title)) {
      return title.slice(0, fields.title.most).trim();
    }
  }
  return "";
}

/** Returns what follows the labelled amounts at the beginning of a line: “Price: ₹349 Kurti” is “Kurti”. */
function withoutLabels(line: string): string {
  let rest = line;
  while (PRICED_LABEL.test(rest)) {
    rest = behindAmount(rest);
  }
  return rest;
}

/** Two letters of a word, in scripts whose vowels are marks as well. */
const NAME = /\p{L}\p{M}*\p{L}/u;

/** Emoji with what joins and colours them, but no sign of a trade mark and no joiner of letters. */
const EMOJI =
  /(?:(?:(?![©®™])\p{Extended_Pictographic}|[\u{1f1e6}-\u{1f1ff}]|\d\ufe0f?\u20e3)(?:\p{Emoji_Modifier}|\ufe0f|\u200d)*)+/gu;

function cleaned(line: string): string {
  // Text before the first link, or else behind it.
  const part = line.split(LINK).find((each) => NAME.test(each)) ?? "";
  const [head = "", ...rest] = aroundAmounts(part);
  // Behind an amount, emoji separate what belongs together.
  const parts = [
    head.replace(EMOJI, " "),
    ...rest.flatMap((each) => each.split(EMOJI)).map((each) => each.replace(FILLER_BEFORE, "")),
  ];
  const isPriced = rest.length > 0;
  const chosen = parts
    .map((each) => each.replace(/\s+/g, " ").trim())
    .find((each) => NAME.test(each) && !(isPriced && ONLY_FILLER.test(each)));
  let title = chosen ?? "";
  if (isPriced) {
    title = title.replace(FILLER_BEHIND, "");
  }
  for (const pattern of [...LEADS, ...TAILS]) {
    title = title.replace(pattern, "").trim();
  }
  return title.replace(/^(?:\/-|[\s"'“”*~:|–-])+|[\s"'“”*~:|–([{-]+$/g, "");
}

function first<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}
