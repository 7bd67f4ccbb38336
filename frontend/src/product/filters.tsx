import { CATEGORIES, type ProductQuery } from "../api/products";
import { Select } from "../ui/select";
import { ORDERS, orderLabel, SORTS } from "./list-state";

interface CategoryProps {
  value: string | undefined;
  /** Called with an empty text for all categories. */
  onChange: (category: string) => void;
}

const CHOICES = [{ value: "", label: "All" }, ...CATEGORIES.map((name) => ({ value: name, label: name }))];

/** The categories as a list, where there is room for a column. */
export function CategoryList({ value = "", onChange }: CategoryProps) {
  return (
    <fieldset className="flex flex-col gap-0.5">
      <legend className="pb-2 text-sm font-semibold">Category</legend>
      {CHOICES.map((choice) => (
        <label
          key={choice.value}
          className="-ml-3 flex min-h-9 items-center rounded px-3 text-sm text-ink-2 hover:bg-raised has-checked:bg-raised has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name="category"
            value={choice.value}
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
            className="sr-only"
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}

/** The categories as a choice, where there is none. */
export function CategorySelect({ value = "", onChange }: CategoryProps) {
  return <Select label="Category" value={value} options={CHOICES} onChange={onChange} />;
}

interface SortProps {
  query: ProductQuery;
  sorts?: readonly { value: string; label: string }[];
  onChange: (sort: { sortBy?: string; order?: string }) => void;
}

export function SortControls({ query, sorts = SORTS, onChange }: SortProps) {
  return (
    <>
      <Select
        label="Sort by"
        value={query.sortBy}
        options={sorts}
        onChange={(sortBy) => onChange({ sortBy })}
      />
      <Select
        label="Order"
        value={query.order}
        options={ORDERS.map((order) => ({ value: order, label: orderLabel(query.sortBy, order) }))}
        onChange={(order) => onChange({ order })}
      />
    </>
  );
}
