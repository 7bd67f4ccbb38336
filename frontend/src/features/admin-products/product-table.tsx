import type { ReactNode } from "react";
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
  /** Left out for a list that has an order of its own: then its headings have no buttons. */
  sorting: Sorting | undefined;
  onEdit: (product: Product, field: PriceField, value: number) => Promise<void>;
  onAction: (product: Product, action: RowAction) => void;
  /** Returns the button that does what a product of this list needs. */
  actOf?: ((product: Product) => ReactNode) | undefined;
}

export function ProductTable({
  products,
  choice,
  onChoose,
  sorting,
  onEdit,
  onAction,
  actOf,
}: ProductTableProps) {
  const ids = products.map(({ _id }) => _id);
  const { data: trends } = useTrends(ids);
  const isChosen = (id: string) => choice.all !== null || choice.products.has(id);
  const toggle = (some: Product[], on: boolean) => onChoose(toggled(choice, some, on));
  return (
    <section aria-label="Products" className="product-table pane">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <Checkbox
                label="Select all on this page"
                checked={ids.length > 0 && ids.every(isChosen)}
                onChange={(on) => toggle(products, on)}
              />
            </th>
            <th scope="col">Product</th>
            <SortHeader name="Price today" sort="finalPrice" sorting={sorting} />
            <th scope="col">Price checked</th>
            <SortHeader name="Clicks" sort="clicks" sorting={sorting} />
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
              act={actOf?.(product)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}
