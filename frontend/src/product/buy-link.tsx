import { ApiError } from "../api/client";
import { type Product, useRecordClick } from "../api/products";
import { ButtonAnchor } from "../ui/button";
import { useToast } from "../ui/toast";

/**
 * The way to the seller: a real link that opens a tab of its own. The click is
 * sent first and never waited for, so no pop-up blocker steps in and a failed
 * count stops nobody (decisions section 7).
 */
export function BuyLink({ product, className }: { product: Product; className?: string }) {
  const recordClick = useRecordClick();
  const toast = useToast();
  const record = () => {
    recordClick(product._id).then(
      () => toast({ title: "🎉 Click Recorded!" }),
      (error: unknown) => {
        const known = error instanceof ApiError && !error.unreachable ? error.message : undefined;
        toast({
          title: "product increament failed",
          ...(known ? { description: known } : {}),
          failure: true,
        });
      },
    );
  };
  return (
    <ButtonAnchor
      look="primary"
      href={product.affiliateLink}
      target="_blank"
      rel="sponsored nofollow noopener"
      onClick={record}
      onAuxClick={(event) => {
        // The middle button opens a tab too; the others open a menu.
        if (event.button === 1) {
          record();
        }
      }}
      {...(className ? { className } : {})}
    >
      <span className="truncate">{`Buy It on ${product.source}`}</span>
      <span className="sr-only">(opens in a new tab)</span>
    </ButtonAnchor>
  );
}
