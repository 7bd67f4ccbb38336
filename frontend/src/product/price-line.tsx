import type { Product } from "../api/products";
import { rupees, saving } from "../lib/rupees";
import { classNames } from "../ui/class-names";

/** The final price first; the original one, struck, and the saving when discounted. */
export function PriceLine({ product, large = false }: { product: Product; large?: boolean }) {
  const discounted = product.discount > 0;
  return (
    <p className="tabular flex flex-wrap items-baseline gap-x-2">
      <span className={classNames("font-semibold", large ? "text-xl" : "text-lg")}>
        {discounted && <span className="sr-only">Final price </span>}
        {rupees(product.finalPrice)}
      </span>
      {discounted && (
        <>
          <s className="text-sm text-ink-3">
            <span className="sr-only">Original price </span>
            {rupees(product.price)}
          </s>
          <span className="text-sm font-semibold text-saving">{saving(product.discount)}</span>
        </>
      )}
    </p>
  );
}
