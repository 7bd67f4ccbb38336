import type { ProductQuery } from "../api/products/query";
import { sortByLabel, sortOrderLabel } from "../texts/en.json";
import { Select } from "../ui/form/select";
import { ORDERS, orderLabel, sortsFor, usualOrder } from "./list-state";

interface SortProps {
  query: ProductQuery;
  onChange: (sort: { sortBy?: string; order?: string }) => void;
}

export function SortControls({ query, onChange }: SortProps) {
  return (
    <>
      <Select
        id="sort-by"
        name="sortBy"
        label={sortByLabel}
        value={query.sortBy}
        options={sortsFor(query)}
        onChange={(sortBy) => onChange({ sortBy, order: usualOrder(sortBy) })}
      />
      <Select
        id="order"
        name="order"
        label={sortOrderLabel}
        value={query.order}
        options={ORDERS.map((order) => ({ value: order, label: orderLabel(query.sortBy, order) }))}
        onChange={(order) => onChange({ order })}
      />
    </>
  );
}
