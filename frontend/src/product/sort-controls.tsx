// Mirrored by src/http/pages/filters.rs

import { CATEGORIES, type ProductQuery } from "../api/products";
import { Select } from "../ui/form/select";
import { ORDERS, orderLabel, sortsFor } from "./list-state";

interface CategoryProps {
  value: string | undefined;
  /** Called with an empty text for all categories. */
  onChange: (category: string) => void;
}

const CHOICES = [{ value: "", label: "All" }, ...CATEGORIES.map((name) => ({ value: name, label: name }))];

/** The categories as a choice, where there is no room for a list of them. */
export function CategorySelect({ value = "", onChange }: CategoryProps) {
  return (
    <Select
      id="category"
      name="category"
      label="Category"
      value={value}
      options={CHOICES}
      onChange={onChange}
    />
  );
}

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
        label="Sort by"
        value={query.sortBy}
        options={sortsFor(query)}
        onChange={(sortBy) => onChange({ sortBy })}
      />
      <Select
        id="order"
        name="order"
        label="Order"
        value={query.order}
        options={ORDERS.map((order) => ({ value: order, label: orderLabel(query.sortBy, order) }))}
        onChange={(order) => onChange({ order })}
      />
    </>
  );
}
