import type { ReactNode } from "react";
import type { Product } from "../../api/types";
import { paths } from "../../lib/paths";
import { FinalPriceCell } from "./final-price-cell";
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
  const { _id, title, source, category, images } = product;
  return (
    <li className="line deal-row">
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
        <FinalPriceCell product={product} onSave={(value) => changes.edit(product, "finalPrice", value)} />
        {children}
      </div>
      <RowMenu product={product} onAction={(deal, action) => void changes.act(deal, action)} />
    </li>
  );
}
