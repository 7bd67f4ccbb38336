import type { ReactNode } from "react";
import type { Product } from "../../api/types";
import { paths } from "../../lib/paths";
import { rupees } from "../../lib/rupees";
import { EditCell } from "./edit-cell";
import { ProductCell } from "./product-cell";
import type { useRowChanges } from "./row-changes";
import { RowMenu } from "./row-menu";

export type RowChanges = ReturnType<typeof useRowChanges>;

interface DealRowProps {
  product: Product;
  changes: RowChanges;
  note?: ReactNode;
  /** The button that does what the deal needs. */
  children?: ReactNode;
}

/** A deal with its final price, which is changed in place, and its menu. */
export function DealRow({ product, changes, note, children }: DealRowProps) {
  const { _id, title, source, category, images, price, finalPrice } = product;
  return (
    <li className="deal-row">
      <ProductCell
        to={paths.updateProduct(_id)}
        state={{ product }}
        id={_id}
        title={title}
        source={source}
        category={category}
        image={images[0]}
        note={note}
      />
      <div className="deal-act">
        <b>
          <EditCell
            label={`Final price of ${title}`}
            value={finalPrice}
            shown={rupees(finalPrice)}
            most={price}
            onSave={(value) => changes.edit(product, "finalPrice", value)}
          />
        </b>
        {children}
      </div>
      <RowMenu product={product} onAction={(deal, action) => void changes.act(deal, action)} />
    </li>
  );
}
