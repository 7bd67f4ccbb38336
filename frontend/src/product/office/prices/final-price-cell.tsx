import type { Product } from "../../../api/types";
import { rupees } from "../../../lib/rupees";
import { EditCell } from "./edit-cell";
import { largeChange } from "./large-change";

interface FinalPriceCellProps {
  product: Product;
  onSave: (value: number) => Promise<void>;
}

/** The final price of a product, edited in place. */
export function FinalPriceCell({ product: { title, price, finalPrice }, onSave }: FinalPriceCellProps) {
  return (
    <div className="display">
      <EditCell
        label={`Final price of ${title}`}
        value={finalPrice}
        shown={rupees(finalPrice)}
        most={price}
        mostShown={`the list price, ${rupees(price)}`}
        largeChange={(value) => largeChange(finalPrice, value)}
        onSave={onSave}
      />
    </div>
  );
}
