// Mirrored by src/http/pages/list/headings.rs

import type { ProductQuery } from "../../api/products/query";
import type { Home } from "../../api/types";
import { percent, rupees } from "../../lib/rupees";

export const ALL = "All deals";

/** Heading of the picks. */
export function picksHeading({ cheaper }: Pick<Home, "cheaper">): string {
  return cheaper ? "Really cheaper today" : "Good to begin with";
}

/** Says what a list has, like `Books at Amazon, up to ₹500.00`. */
export function heading(query: ProductQuery): string {
  const { search, category, source, minPrice, maxPrice, minDiscount, minProven, endingSoon } = query;
  const only =
    minProven !== undefined && endingSoon
      ? "Really cheaper, ending soon"
      : minProven !== undefined
        ? "Really cheaper"
        : endingSoon && "Ending soon";
  const range = priceRange(minPrice, maxPrice);
  const lead = search ? `“${search}”` : only;
  const rest = [
    category && lead && ` in ${category}`,
    source && ` at ${source}`,
    minDiscount !== undefined && `, ${percent(minDiscount)} off or more`,
    range && `, ${range}`,
  ].filter(Boolean);
  return lead || category || rest.length > 0 ? `${lead ?? category ?? "Deals"}${rest.join("")}` : ALL;
}

/** Formats price limits, like `up to ₹1,000.00`. */
export function priceRange(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) {
    return `${rupees(least)} to ${rupees(most)}`;
  }
  if (least !== undefined) {
    return `from ${rupees(least)}`;
  }
  return most === undefined ? undefined : `up to ${rupees(most)}`;
}
