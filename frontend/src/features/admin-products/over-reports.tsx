import { useState } from "react";
import type { Product } from "../../api/types";
import { counted } from "../../lib/rupees";
import { DealRow, type RowChanges } from "../../product/office/deal-row";
import { Button } from "../../ui/button";

interface OverReportsProps {
  products: Product[];
  /** Number of reports by product. */
  reports: Readonly<Record<string, number>>;
  changes: RowChanges;
}

/** Deals that visitors report as over, the most reported first, each with its two answers. */
export function OverReports({ products, reports, changes }: OverReportsProps) {
  return (
    <>
      <p className="hint">
        Visitors say that these deals are over. Look at the seller's page, then end the deal, or say that it
        is still on: its price counts as checked now.
      </p>
      <ul aria-label="Reported deals" className="deal-rows panel">
        {products.map((product) => (
          <DealRow
            key={product._id}
            product={product}
            changes={changes}
            note={counted(reports[product._id] ?? 1, "report", "reports")}
          >
            <a
              className="link"
              href={product.affiliateLink}
              target="_blank"
              rel="noopener nofollow sponsored"
            >
              See it at {product.source}
            </a>
            <Answers product={product} changes={changes} />
          </DealRow>
        ))}
      </ul>
    </>
  );
}

function Answers({ product, changes }: { product: Product; changes: RowChanges }) {
  const [pending, setPending] = useState(false);
  const press = async (change: () => Promise<unknown>) => {
    if (pending) {
      return;
    }
    setPending(true);
    await change();
    setPending(false);
    // The row with the focused button may be gone.
    if (document.activeElement === document.body) {
      document.querySelector("h1")?.focus();
    }
  };
  return (
    <>
      <Button
        aria-disabled={pending}
        aria-label={`End it: ${product.title}`}
        onClick={() => void press(() => changes.act(product, "end"))}
      >
        End it
      </Button>
      <Button
        className="btn-tonal"
        aria-disabled={pending}
        aria-label={`Still on: ${product.title}`}
        onClick={() => void press(() => changes.confirmPrices([product]))}
      >
        Still on
      </Button>
    </>
  );
}
