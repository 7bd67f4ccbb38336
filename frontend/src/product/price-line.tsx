// Mirrored by src/http/pages/product.rs

import type { Product } from "../api/products";
import { rupees, saving } from "../lib/rupees";

/** The final price first; the original one, struck, and the saving when discounted. */
export function PriceLine({ product, large = false }: { product: Product; large?: boolean }) {
  const discounted = product.discount > 0;
  return (
    <p className={large ? "price price-large" : "price"}>
      <span>
        {discounted && <span>Final price </span>}
        {rupees(product.finalPrice)}
      </span>
      {discounted && (
        <>
          <s>
            <span>Original price </span>
            {rupees(product.price)}
          </s>
          <span>{saving(product.discount)}</span>
        </>
      )}
    </p>
  );
}
