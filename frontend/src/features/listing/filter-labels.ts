import type { ProductQuery } from "../../api/products/query";
import { percent, shortRupees } from "../../lib/rupees";
import { sellersNamed } from "../../product/list/headings";
import {
  endingSoonLabel,
  fromPrice,
  offOrMore,
  quoted,
  reallyCheaper,
  starsOrMore,
  upToPrice,
} from "../../texts/en.json";
import { fill } from "../../texts/fill";

/** Returns the names of the filters that are set, and not its shelf's, each with its words; `collection` is the name of one. */
export function filterLabels(query: ProductQuery, collection: string | undefined): [string, string][] {
  const { search, category, source, minPrice, maxPrice, minDiscount, minRating, minProven, endingSoon, tag } =
    query;
  const all: [string, string | undefined][] = [
    ["search", search && fill(quoted, { words: search })],
    ["category", category],
    ["source", source && sellersNamed(source)],
    ["minPrice", minPrice === undefined ? undefined : fill(fromPrice, { price: shortRupees(minPrice) })],
    ["maxPrice", maxPrice === undefined ? undefined : fill(upToPrice, { price: shortRupees(maxPrice) })],
    [
      "minDiscount",
      minDiscount === undefined ? undefined : fill(offOrMore, { percent: percent(minDiscount) }),
    ],
    ["minRating", minRating === undefined ? undefined : fill(starsOrMore, { stars: minRating })],
    ["minProven", minProven === undefined ? undefined : reallyCheaper],
    ["endingSoon", endingSoon && endingSoonLabel],
    ["tag", tag?.replaceAll(",", ", ")],
    ["collection", collection],
  ];
  const fixed: object = query.shelf?.filters ?? {};
  return all.flatMap(([name, label]) => (label === undefined || name in fixed ? [] : [[name, label]]));
}
