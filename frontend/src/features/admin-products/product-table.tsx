import { useTrends } from "../../api/office/overview";
import type { Product } from "../../api/types";
import type { PriceField, RowAction } from "../../product/office/row-changes";
import { Checkbox } from "../../ui/form/checkbox";
import { type Choice, toggled } from "./bulk/choice";
import { ProductRow } from "./product-row";
import { SortHeader, type Sorting } from "./sort-header";

interface ProductTableProps {
  products: Product[];
  choice: Choice;
  onChoose: (choice: Choice) => void;
  sorting: Sorting | undefined;
  onEdit: (product: Product, field: PriceField, value: number) => Promise<void>;
  onAction: (product: Product, action: RowAction) => void;
}

const COLUMNS = [
  { name: "Price", sort: "price" },
  { name: "Discount", sort: "discount" },
  { name: "Final price", sort: "finalPrice" },
  { name: "Clicks", sort: "clicks" },
  { name: "Added", sort: "createdAt" },
];

export function ProductTable({ products, choice, onChoose, sorting, onEdit, onAction }: ProductTableProps) {
  const ids = products.map(({ _id }) => _id);
  const { data: trends } = useTrends(ids);
  const isChosen = (id: string) => choice.all !== null || choice.titles.has(id);
  const toggle = (some: Product[], on: boolean) => onChoose(toggled(choice, some, on));
  return (
    <section aria-label="Products" className="product-table">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">
              <Checkbox
                label="Choose all on this page"
                checked={ids.length > 0 && ids.every(isChosen)}
                onChange={(on) => toggle(products, on)}
              />
            </th>
            <th scope="col">Product</th>
            {COLUMNS.map(({ name, sort }) => (
              <SortHeader key={name} name={name} sort={sort} sorting={sorting} />
            ))}
            <th scope="col">
              <span className="sr-only">More</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <ProductRow
              key={product._id}
              product={product}
              trend={trends?.[product._id]}
              chosen={isChosen(product._id)}
              onChoose={(on) => toggle([product], on)}
              onEdit={onEdit}
              onAction={onAction}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}
