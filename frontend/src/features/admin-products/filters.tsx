import { CATEGORIES, type ProductQuery } from "../../api/products/query";
import { useFacets } from "../../api/products/related";
import { SearchBox } from "../../product/search-box";
import { Select } from "../../ui/form/select";

const CHOICES = [
  { value: "", label: "All categories" },
  ...CATEGORIES.map((name) => ({ value: name, label: name })),
];
const DAYS = [7, 30, 90];

type Changes = Partial<Record<"search" | "category" | "source" | "minAge" | "minPriceAge", string>>;

interface FiltersProps {
  query: ProductQuery;
  onChange: (changes: Changes) => void;
}

/** Search, category, seller and ages of the office's list. */
export function Filters({ query, onChange }: FiltersProps) {
  const { source, page: _, limit: __, sortBy: ___, order: ____, ...others } = query;
  const { data: facets } = useFacets(others);
  const sellers = facets?.sources.map(({ name }) => name) ?? [];
  if (source !== undefined && !sellers.includes(source)) {
    sellers.push(source);
  }
  return (
    <div className="tools">
      <SearchBox
        id="product-search"
        label="Search products"
        value={query.search ?? ""}
        onSearch={(search) => onChange({ search })}
      />
      <Select
        id="category"
        name="category"
        label="Category"
        value={query.category ?? ""}
        options={CHOICES}
        onChange={(category) => onChange({ category })}
      />
      <Select
        id="seller"
        name="source"
        label="Seller"
        value={source ?? ""}
        options={[
          { value: "", label: "All sellers" },
          ...sellers.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(source) => onChange({ source })}
      />
      <Select
        id="age"
        name="minAge"
        label="Added"
        value={String(query.minAge ?? "")}
        options={ages(query.minAge, "Added any time", (days) => `Added over ${days} days ago`)}
        onChange={(minAge) => onChange({ minAge })}
      />
      <Select
        id="price-age"
        name="minPriceAge"
        label="Price checked"
        value={String(query.minPriceAge ?? "")}
        options={ages(query.minPriceAge, "Price of any age", (days) => `Price over ${days} days old`)}
        onChange={(minPriceAge) => onChange({ minPriceAge })}
      />
    </div>
  );
}

/** Returns the choices of an age, with that of the address among them. */
function ages(chosen: number | undefined, any: string, over: (days: number) => string) {
  const days = chosen === undefined || DAYS.includes(chosen) ? DAYS : [...DAYS, chosen];
  return [
    { value: "", label: any },
    ...days.toSorted((a, b) => a - b).map((days) => ({ value: String(days), label: over(days) })),
  ];
}
