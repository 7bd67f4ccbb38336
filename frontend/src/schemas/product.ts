import { array, mixed, object, type StringSchema, string } from "yup";
import type { ProductInput } from "../api/products/changes";
import type { Product } from "../api/types";
import { maxImages, maxPrice, maxUrl } from "../lib/constants.json";
import { finalPrice as finalPriceOf, fits, priceBefore } from "../lib/final-price";
import { fields } from "../shop/fields.json";
import { FORM_LINES, LINES } from "../shop/product-lines";
import { tagsOf } from "../shop/tags";
import { fromOffer, type OfferValues, offers, toOffer } from "./offers";
import { tags } from "./tags";
import {
  hasTwoDecimals,
  isLeftOut,
  isMoney,
  timeOf,
  toMoney,
  toNumber,
  unclearMoney,
  zoneRule,
} from "./values";

// The rules and messages of spec section 5 and decisions section 3; the server has
// the same, and both are tested with tests/fixtures/invalid-inputs.json.

type Rule = readonly [message: string, holds: (value: number) => boolean];

/**
 * A number or its text, which may be left out if it follows from the other fields; reports the first rule that
 * it breaks.
 */
function numericOr(isMade: (others: Record<string, unknown>) => boolean, ...rules: readonly Rule[]) {
  return readNumber(toNumber, isMade, rules);
}

/** Like `numericOr`, for rupees. */
function moneyOr(isMade: (others: Record<string, unknown>) => boolean, ...rules: readonly Rule[]) {
  return readNumber(toMoney, isMade, rules);
}

function readNumber(
  read: (value: unknown) => number,
  isMade: (others: Record<string, unknown>) => boolean,
  rules: readonly Rule[],
) {
  return mixed()
    .nullable()
    .test("number", (value, context) => {
      const number = read(value);
      if (isLeftOut(value) && isMade(context.parent)) {
        return true;
      }
      const unclear = read === toMoney ? unclearMoney(value) : undefined;
      if (unclear !== undefined) {
        return context.createError({ message: unclear });
      }
      const broken = rules.find(([, holds]) => !holds(number));
      return broken === undefined || context.createError({ message: broken[0] });
    });
}

interface Limits {
  label: string;
  least: number;
  most: number;
}

function text(required: string, { label, least, most }: Limits): StringSchema {
  return string()
    .trim()
    .test("least", required, (value) => Array.from(value ?? "").length >= least)
    .test(
      "most",
      `${label} must be at most ${most} characters.`,
      (value) => Array.from(value ?? "").length <= most,
    )
    .test("null", `${label} must not contain null characters.`, (value) => !value?.includes("\0"));
}

// The third of price, discount and final price follows from two of them.
const priceIsMade = ({ discount, finalPrice }: Record<string, unknown>) =>
  priceBefore(toMoney(finalPrice), toNumber(discount)) > 0;
const discountIsMade = ({ price, finalPrice }: Record<string, unknown>) =>
  isMoney(toMoney(price)) && isMoney(toMoney(finalPrice));

const finalPrice = mixed()
  .nullable()
  .test("number", (value, context) => {
    if (isLeftOut(value)) {
      return true;
    }
    const number = toMoney(value);
    const [price, discount] = [toMoney(context.parent.price), toNumber(context.parent.discount)];
    const refuse = (message: string) => context.createError({ message });
    const unclear = unclearMoney(value);
    if (unclear !== undefined) {
      return refuse(unclear);
    }
    if (!(number >= 0 && number <= maxPrice)) {
      return refuse("Final price must be a number between 0 and 1,00,00,00,000.");
    }
    if (!hasTwoDecimals(number)) {
      return refuse("Final price must have at most 2 decimals.");
    }
    if (isMoney(price) && number > price) {
      return refuse("Final price must not be above the price.");
    }
    const known = isMoney(price) && discount >= 0 && discount <= 100 && hasTwoDecimals(discount);
    return (
      !known ||
      fits(price, discount, number) ||
      refuse("Price, discount and final price do not fit together: leave one of them out.")
    );
  });

const price = moneyOr(
  priceIsMade,
  ["Price must be a positive number.", (value) => value > 0],
  ["Price must be at most 1,00,00,00,000.", (value) => value <= maxPrice],
  ["Price must have at most 2 decimals.", hasTwoDecimals],
);

const changedPrice = moneyOr(
  priceIsMade,
  ["Price must be at least 0", (value) => value >= 0],
  ["Price must be at most 1,00,00,00,000.", (value) => value <= maxPrice],
  ["Price must have at most 2 decimals.", hasTwoDecimals],
);

const discountRules: readonly Rule[] = [
  ["Discount must be between 0 and 100.", (value) => value >= 0 && value <= 100],
  ["Discount must have at most 2 decimals.", hasTwoDecimals],
];

function category(missing: string, categories: readonly string[]) {
  return string()
    .trim()
    .test("required", missing, (value) => (value ?? "") !== "")
    .test("known", "Please select a category.", (value) => categories.includes(value ?? ""));
}

/** Returns true for an absolute http(s) URL without credentials; stricter than URL parsers. */
export function isWebAddress(value: string): boolean {
  const starts = /^https?:\/\//i.test(value);
  if (!starts || Array.from(value).length > maxUrl || /[\s\\\p{Cc}]/u.test(value)) {
    return false;
  }
  const authority = value.split("//")[1]?.split(/[/?#]/)[0] ?? "";
  return URL.canParse(value) && authority !== "" && !authority.includes("@");
}

function isPicture(value: string): boolean {
  return isWebAddress(value) || /^\/(demo\/[a-z0-9-]+\.svg|picture\/[0-9a-f]{32}-\d+x\d+\.webp)$/.test(value);
}

function link(message: string) {
  return string()
    .trim()
    .test("url", message, (value) => isWebAddress(value ?? ""));
}

/** Returns true if all rows are empty, which is reported once. */
function areEmpty(rows: unknown): boolean {
  return Array.isArray(rows) && rows.every((row) => !row);
}

const images = array()
  .of(
    string()
      .trim()
      .test(
        "url",
        "Please enter a valid image URL.",
        (value, context) => isPicture(value ?? "") || (!value && areEmpty(context.parent)),
      ),
  )
  // Empty rows are no images.
  .test("least", "At least one image URL is required.", (value) => value?.some(Boolean) ?? false)
  .test("most", "At most 20 pictures are allowed.", (value) => (value?.length ?? 0) <= maxImages);

/** A time with its zone; empty for none. */
function moment(what: string) {
  return mixed()
    .nullable()
    .test("time", zoneRule(what), (value) => isLeftOut(value) || !Number.isNaN(timeOf(value)));
}

const startsAt = moment("start");
const endsAt = moment("end").test("order", "The end must be after the start.", (value, context) => {
  const start: unknown = context.parent.startsAt;
  return isLeftOut(value) || isLeftOut(start) || !(timeOf(value) <= timeOf(start));
});

const status = mixed()
  .nullable()
  .test(
    "known",
    "Status must be draft or live.",
    (value) => isLeftOut(value) || value === "draft" || value === "live",
  );

/** A product that nobody rated has neither average nor number. */
const averageRating = numericOr(
  ({ totalRatings }) => isLeftOut(totalRatings) || Number(totalRatings) === 0,
  ["Average rating must be between 0 and 5.", (value) => value >= 0 && value <= 5],
);

const totalRatings = numericOr(
  ({ averageRating }) => isLeftOut(averageRating),
  ["Total ratings must be a positive integer.", (value) => Number.isSafeInteger(value) && value >= 0],
).test(
  "rated",
  "Total ratings must be a positive integer.",
  (value, { parent }) => Number(value) !== 0 || Number(parent.averageRating) === 0,
);

/** An optional line; files write ids as text or a number. */
function line(name: string, most: number) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return mixed()
    .nullable()
    .test("text", `The ${words} must be text.`, (value) => isLeftOut(value) || isTextOrId(value))
    .test(
      "line",
      `The ${words} must be one line of at most ${most} characters.`,
      (value) =>
        typeof value !== "string" ||
        (Array.from(value.trim()).length <= most && !/\p{Cc}/u.test(value.trim())),
    );
}

function isTextOrId(value: unknown): boolean {
  return typeof value === "string" || (Number.isSafeInteger(value) && Number(value) >= 0);
}

/** Rules that are the same for a new product and a changed one. */
const always = {
  images,
  averageRating,
  totalRatings,
  status,
  startsAt,
  endsAt,
  offers,
  tags,
  ...Object.fromEntries(LINES.map(([name, { most }]) => [name, line(name, most)])),
};

export const addProductSchema = (categories: readonly string[]) =>
  object({
    title: text("Title must be at least 2 characters.", fields.title),
    description: text("Description must be at least 10 characters.", fields.description),
    price,
    discount: numericOr(discountIsMade, ...discountRules),
    finalPrice,
    category: category("Please select a category.", categories),
    source: text("Please enter a source", fields.source),
    affiliateLink: link("Please enter a valid affiliate link URL."),
    ...always,
  });

export const updateProductSchema = (categories: readonly string[]) =>
  object({
    title: text("Title is required", { ...fields.title, least: 1 }),
    description: text("Description is required", { ...fields.description, least: 1 }),
    price: changedPrice,
    discount: numericOr(
      discountIsMade,
      ["Discount must be at least 0", (value) => value >= 0],
      ...discountRules,
    ),
    finalPrice,
    category: category("Category is required", categories),
    source: text("Source is required", fields.source),
    affiliateLink: link("Affiliate Link must be a valid URL"),
    ...always,
  });

const emptyLines: { [Name in (typeof LINES)[number][0]]?: string } = Object.fromEntries(
  FORM_LINES.map(([name]) => [name, ""]),
);

/** The values of an empty form: numbers are text until they are sent. */
export const EMPTY_PRODUCT = {
  title: "",
  description: "",
  price: "",
  discount: "0",
  /** Empty where it follows from the discount. */
  finalPrice: "",
  category: "",
  source: "",
  affiliateLink: "",
  images: [""],
  averageRating: "",
  totalRatings: "",
  status: "live",
  /** RFC 3339; empty for at once, and for never. */
  startsAt: "",
  endsAt: "",
  offers: [] as OfferValues[],
  /** With commas between them. */
  tags: "",
  ...emptyLines,
};

export type ProductFormValues = typeof EMPTY_PRODUCT;

/** The lines of text without the white space around them. */
function trimmed<T extends Record<string, string>>(lines: T): T {
  return Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, line.trim()])) as T;
}

export function toInput({ images, offers, ...lines }: ProductFormValues): ProductInput {
  const values = trimmed(lines);
  return {
    ...values,
    price: toMoney(values.price),
    discount: toNumber(values.discount),
    finalPrice: toMoney(values.finalPrice),
    images: images.map((image) => image.trim()),
    averageRating: toNumber(values.averageRating || 0),
    totalRatings: toNumber(values.totalRatings || 0),
    startsAt: values.startsAt || null,
    endsAt: values.endsAt || null,
    tags: tagsOf(values.tags),
    offers: offers.map(toOffer),
  };
}

export function fromProduct(product: Product): ProductFormValues {
  const isLine = ([name, value]: [string, unknown]) => name in EMPTY_PRODUCT && typeof value === "string";
  return {
    ...EMPTY_PRODUCT,
    ...Object.fromEntries(Object.entries(product).filter(isLine)),
    price: String(product.price),
    // A given final price determines the discount.
    discount:
      finalPriceOf(product.price, product.discount) === product.finalPrice ? String(product.discount) : "",
    finalPrice:
      finalPriceOf(product.price, product.discount) === product.finalPrice ? "" : String(product.finalPrice),
    images: product.images,
    tags: (product.tags ?? []).join(", "),
    // A rating of 0 is one, unless nobody rated it.
    averageRating: product.ratings.totalRatings === 0 ? "" : String(product.ratings.averageRating),
    totalRatings: String(product.ratings.totalRatings || ""),
    // Offers of the seller have a scope.
    offers: (product.offers ?? []).filter(({ scope }) => scope === undefined).map(fromOffer),
  };
}
