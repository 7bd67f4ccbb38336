import type { ProductQuery } from "../../../api/products/query";
import { count } from "../../../lib/rupees";

/** Filters that the field sets; an empty text removes one. */
export type Asked = Partial<
  Record<"search" | "category" | "source" | "minPrice" | "maxPrice" | "minAge" | "minPriceAge", string>
>;

/** Something that the field offers, or that was chosen. */
export interface Offer {
  label: string;
  asked: Asked;
}

const DAYS = [7, 30, 90];
const MOST_SELLERS = 6;

/** Returns what a typed text may mean, first what Enter takes; for no text what can be chosen without typing. */
export function offersFor(typed: string, sellers: readonly string[], categories: readonly string[]): Offer[] {
  const text = typed.trim();
  const low = text.toLowerCase();
  if (low === "") {
    const most = sellers.slice(0, MOST_SELLERS);
    return [...most.map(ofSeller), ...categories.map(ofCategory), ...agesOf([30])];
  }
  const prices = pricesIn(low);
  const search = { label: `Search “${text}”`, asked: { search: text } };
  const isPrice = prices.length > 0 && !/^\d+$/.test(low);
  const named = sellers.filter((name) => name.toLowerCase().includes(low)).slice(0, MOST_SELLERS);
  return [
    ...(isPrice ? [...prices, search] : [search, ...prices]),
    ...named.map(ofSeller),
    ...categories.filter((name) => name.toLowerCase().includes(low)).map(ofCategory),
    ...agesIn(low),
  ];
}

/** Returns the chosen filters of a list, each with what removes it. */
export function chosenOf(query: ProductQuery): Offer[] {
  const { search, category, source, minPrice, maxPrice, minAge, minPriceAge } = query;
  const chosen: (Offer | false)[] = [
    search !== undefined && { label: `“${search}”`, asked: { search: "" } },
    category !== undefined && { label: `Category: ${category}`, asked: { category: "" } },
    source !== undefined && { label: `Seller: ${source}`, asked: { source: "" } },
    (minPrice !== undefined || maxPrice !== undefined) && {
      label: priceText(minPrice, maxPrice),
      asked: { minPrice: "", maxPrice: "" },
    },
    minAge !== undefined && { label: addedText(minAge), asked: { minAge: "" } },
    minPriceAge !== undefined && { label: priceAgeText(minPriceAge), asked: { minPriceAge: "" } },
  ];
  return chosen.filter((one) => one !== false);
}

function ofSeller(name: string): Offer {
  return { label: `Seller: ${name}`, asked: { source: name } };
}

function ofCategory(name: string): Offer {
  return { label: `Category: ${name}`, asked: { category: name } };
}

function addedText(days: number): string {
  return `Added over ${days} days ago`;
}

function priceAgeText(days: number): string {
  return `Price over ${days} days old`;
}

/** Formats bounds of a price like ₹500–2,000. */
function priceText(least: number | undefined, most: number | undefined): string {
  if (least === undefined) {
    return `Up to ₹${count(most ?? 0)}`;
  }
  return most === undefined ? `From ₹${count(least)}` : `₹${count(least)}–${count(most)}`;
}

function ofPrice(least: number | undefined, most: number | undefined): Offer {
  return {
    label: priceText(least, most),
    asked: { minPrice: String(least ?? ""), maxPrice: String(most ?? "") },
  };
}

const AMOUNT = "₹?\\s*([\\d,]*\\d)";
const RANGE = new RegExp(`^${AMOUNT}\\s*(?:-|–|to)\\s*${AMOUNT}$`);
const MOST = new RegExp(`^(?:up to|under|below|<)\\s*${AMOUNT}$`);
const LEAST = new RegExp(`^(?:from|over|above|>)\\s*${AMOUNT}$|^${AMOUNT}\\s*\\+$`);
const ALONE = new RegExp(`^${AMOUNT}$`);

function pricesIn(text: string): Offer[] {
  const number = (digits: string | undefined) => Number(digits?.replaceAll(",", ""));
  const range = RANGE.exec(text);
  if (range) {
    const [least, most] = [number(range[1]), number(range[2])];
    return [ofPrice(Math.min(least, most), Math.max(least, most))];
  }
  const most = MOST.exec(text);
  if (most) {
    return [ofPrice(undefined, number(most[1]))];
  }
  const least = LEAST.exec(text);
  if (least) {
    return [ofPrice(number(least[1] ?? least[2]), undefined)];
  }
  const alone = ALONE.exec(text);
  return alone ? [ofPrice(undefined, number(alone[1])), ofPrice(number(alone[1]), undefined)] : [];
}

/** Returns ages for “60 days”, and for the beginning of “added”, “old”, “days” or “price”. */
function agesIn(text: string): Offer[] {
  const days = Number(/^(?:over )?(\d{1,3}) ?d(?:ays?)?( old| ago)?$/.exec(text)?.[1]);
  if (days > 0) {
    return agesOf([days]);
  }
  const word = /^[a-z]{2,}/.exec(text)?.[0];
  return word && ["added", "old", "age", "days", "price"].some((known) => known.startsWith(word))
    ? agesOf(DAYS)
    : [];
}

function agesOf(days: number[]): Offer[] {
  return [
    ...days.map((some) => ({ label: addedText(some), asked: { minAge: String(some) } })),
    ...days.map((some) => ({ label: priceAgeText(some), asked: { minPriceAge: String(some) } })),
  ];
}
