import { type ProductQuery, sellersOf } from "../../api/products/query";
import { percent, shortRupees } from "../../lib/rupees";
import {
  allDeals,
  cheaperEndingSoon,
  dealsAtSeller,
  dealsHeading,
  dealsInCategory,
  dealsInRange,
  dealsOffOrMore,
  dealsRated,
  dealsTagged,
  eitherSeller,
  endingSoonLabel,
  priceRangeBoth,
  priceRangeFrom,
  priceRangeUpTo,
  quoted,
  reallyCheaper,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";

/** Says what a list has, like `Books at Amazon, up to ₹500`; `collection` is the name of one. */
export function heading(query: ProductQuery, collection?: string): string {
  const { search, category, source, minPrice, maxPrice, minDiscount, minRating, minProven, endingSoon, tag } =
    query;
  const only =
    minProven !== undefined && endingSoon
      ? cheaperEndingSoon
      : minProven !== undefined
        ? reallyCheaper
        : ((endingSoon && endingSoonLabel) ?? collection);
  const range = priceRange(minPrice, maxPrice);
  const lead = search ? fill(quoted, { words: search }) : only;
  let deals = lead ?? category ?? dealsHeading;
  if (category && lead) {
    deals = fill(dealsInCategory, { deals, category });
  }
  if (tag) {
    deals = fill(dealsTagged, { deals, tags: tag.replaceAll(",", ", ") });
  }
  if (source) {
    deals = fill(dealsAtSeller, { deals, seller: sellersNamed(source) });
  }
  if (minDiscount !== undefined) {
    deals = fill(dealsOffOrMore, { deals, percent: percent(minDiscount) });
  }
  if (minRating) {
    deals = fill(dealsRated, { deals, stars: minRating });
  }
  if (range) {
    deals = fill(dealsInRange, { deals, range });
  }
  return deals === dealsHeading ? allDeals : deals;
}

/** Names the sellers of a filter, like `Amazon or Croma`. */
export function sellersNamed(source: string): string {
  return sellersOf({ source }).reduce((seller, other) => fill(eitherSeller, { seller, other }));
}

/** Formats price limits, like `up to ₹1,000`. */
function priceRange(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) {
    return fill(priceRangeBoth, { least: shortRupees(least), most: shortRupees(most) });
  }
  if (least !== undefined) {
    return fill(priceRangeFrom, { price: shortRupees(least) });
  }
  return most === undefined ? undefined : fill(priceRangeUpTo, { price: shortRupees(most) });
}
