import { type ReactNode, useState } from "react";
import type { Product } from "../../api/types";
import { paths } from "../../lib/paths";
import { shortRupees } from "../../lib/rupees";
import { endOfDay, shortDay } from "../../lib/time";
import { Button } from "../../ui/button";
import { FinalPriceCell } from "./prices/final-price-cell";
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

/** Days by which a deal is extended. */
const EXTENSION = 7;

interface DealButtonProps {
  kind: "price" | "ending";
  product: Product;
  changes: RowChanges;
  /** Called when the focus is lost with the row. */
  onGone?: () => void;
}

/** Confirms the price of a deal, or extends the deal by a week. */
export function DealButton({ kind, product, changes, onGone }: DealButtonProps) {
  const [pending, setPending] = useState(false);
  const end = endOfDay(EXTENSION);
  const day = shortDay(end.slice(0, 10));
  const [label, change] = {
    price: [`Still ${shortRupees(product.finalPrice)}`, () => changes.confirmPrices([product])] as const,
    ending: [`Extend to ${day}`, () => changes.setEnd(product, end, day)] as const,
  }[kind];
  const press = async () => {
    setPending(true);
    await change();
    setPending(false);
    if (document.activeElement === document.body) {
      onGone?.();
    }
  };
  return (
    <Button
      className="btn-tonal wide:whitespace-nowrap"
      aria-disabled={pending}
      aria-label={`${label}: ${product.title}`}
      onClick={() => (pending ? undefined : void press())}
    >
      {label}
    </Button>
  );
}
