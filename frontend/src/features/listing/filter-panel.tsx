// Mirrored by src/http/pages/filters.rs

import { useEffect, useRef, useState } from "react";
import { CATEGORIES, type Facets, type ProductQuery } from "../../api/products";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { changed, listParameters } from "../../product/list-state";
import { Button } from "../../ui/button";
import { HiddenFields } from "../../ui/form/hidden-fields";
import { Select } from "../../ui/form/select";
import { useTypedBefore } from "../../ui/form/use-typed-before";

interface FilterPanelProps {
  query: ProductQuery;
  facets: Facets | undefined;
  /** Shown on a phone; where there is room it always is. */
  open: boolean;
  onChange: (filters: Parameters<typeof changed>[1]) => void;
}

export const FILTER_PANEL = "filters";

const OWN = { category: "", source: "", minPrice: "", maxPrice: "", minDiscount: "" } as const;
const DISCOUNTS = [10, 25, 50, 70] as const;

/** The filters with what each choice would leave: a form that works without JavaScript too. */
export function FilterPanel({ query, facets, open, onChange }: FilterPanelProps) {
  return (
    <form
      id={FILTER_PANEL}
      action={paths.listing}
      autoComplete="off"
      aria-label="Filters"
      className={open ? "filters filters-open" : "filters"}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        onChange({ minPrice: String(typed.get("minPrice")), maxPrice: String(typed.get("maxPrice")) });
      }}
    >
      <HiddenFields fields={listParameters(changed(query, OWN))} />
      <Categories query={query} facets={facets} onChange={onChange} />
      <PriceRange query={query} />
      <Select
        id="min-discount"
        name="minDiscount"
        label="Discount"
        stacked
        value={query.minDiscount === undefined ? "" : String(query.minDiscount)}
        options={discounts(query.minDiscount)}
        onChange={(minDiscount) => onChange({ minDiscount })}
      />
      <Select
        id="source"
        name="source"
        label="Source"
        stacked
        value={query.source ?? ""}
        options={sources(query.source, facets)}
        onChange={(source) => onChange({ source })}
      />
    </form>
  );
}

function Categories({ query, facets, onChange }: Omit<FilterPanelProps, "open">) {
  const choices = [
    { value: "", label: "All", products: facets?.all },
    ...CATEGORIES.map((name) => ({
      value: name,
      label: name,
      products: facets?.categories.find((choice) => choice.name === name)?.products,
    })),
  ];
  const chosen = query.category ?? "";
  const fields = useRef<HTMLFieldSetElement>(null);
  const ready = useRef(false);
  // As for what is typed: a category may have been chosen before the app was there.
  useEffect(() => {
    const checked = fields.current?.querySelector<HTMLInputElement>("input:checked")?.value;
    if (!ready.current && checked !== undefined && checked !== chosen) {
      onChange({ category: checked });
    }
    ready.current = true;
  });
  return (
    <fieldset ref={fields} className="categories">
      <legend>Category</legend>
      {choices.map(({ value, label, products }) => (
        <label key={value}>
          <input
            type="radio"
            name="category"
            value={value}
            checked={chosen === value}
            onChange={() => onChange({ category: value })}
          />
          {label}
          {products !== undefined && <span aria-hidden>{count(products)}</span>}
        </label>
      ))}
    </fieldset>
  );
}

function PriceRange({ query: { minPrice, maxPrice } }: Pick<FilterPanelProps, "query">) {
  return (
    <fieldset>
      <legend>Price in ₹</legend>
      <div className="price-range">
        <PriceField name="minPrice" label="Lowest price" hint="From" value={minPrice} />
        <PriceField name="maxPrice" label="Highest price" hint="To" value={maxPrice} />
        <Button type="submit">Apply</Button>
      </div>
    </fieldset>
  );
}

interface PriceFieldProps {
  name: string;
  label: string;
  hint: string;
  value: number | undefined;
}

function PriceField({ name, label, hint, value }: PriceFieldProps) {
  const given = value === undefined ? "" : String(value);
  // As in the search box: what is typed belongs to the filter it was typed over.
  const [typed, setTyped] = useState({ over: given, text: given });
  const field = useRef<HTMLInputElement>(null);
  useTypedBefore(field, given, (text) => setTyped({ over: given, text }));
  return (
    <input
      ref={field}
      name={name}
      aria-label={label}
      placeholder={hint}
      inputMode="decimal"
      autoComplete="off"
      value={typed.over === given ? typed.text : given}
      onChange={(event) => setTyped({ over: given, text: event.target.value })}
      className="number-field"
    />
  );
}

function discounts(chosen: number | undefined): { value: string; label: string }[] {
  const offered = new Set<number>(DISCOUNTS);
  if (chosen !== undefined) {
    offered.add(chosen);
  }
  const labelled = [...offered].sort((a, b) => a - b);
  return [
    { value: "", label: "Any" },
    ...labelled.map((percent) => ({ value: String(percent), label: `${percent}% or more` })),
  ];
}

function sources(chosen: string | undefined, facets: Facets | undefined): { value: string; label: string }[] {
  const known = facets?.sources ?? [];
  const listed = known.map(({ name, products }) => ({
    value: name,
    label: `${name} (${count(products)})`,
  }));
  const missing = chosen !== undefined && !known.some(({ name }) => name === chosen);
  return [
    { value: "", label: "All sources" },
    ...(missing ? [{ value: chosen, label: chosen }] : []),
    ...listed,
  ];
}
