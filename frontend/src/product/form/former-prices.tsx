import { failureText } from "../../api/failure";
import { useCatalogueChanges } from "../../api/office/catalogue-changes";
import { usePriceHistory } from "../../api/products/related";
import { rupees } from "../../lib/rupees";
import { moment } from "../../lib/time";
import { Button } from "../../ui/button";
import { useToast } from "../../ui/toast/toast";

/** Former prices of a product; a wrong one can be removed, so that no claim is based on it. */
export function FormerPrices({ id }: { id: string }) {
  const { data } = usePriceHistory(id);
  const { removePrice } = useCatalogueChanges();
  const toast = useToast();
  const former = data?.points.slice(0, -1) ?? [];
  if (former.length === 0) {
    return null;
  }
  const press = (from: string) =>
    removePrice(id, from).then(
      () => toast({ title: "The price is removed." }),
      (error: unknown) => toast({ title: failureText(error), failure: true }),
    );
  return (
    <section aria-labelledby="former-prices" className="panel max-w-[48rem]">
      <h2 id="former-prices">Earlier prices</h2>
      <p className="hint">
        Remove a wrong price, and it no longer counts for claims like “lowest in 30 days”.
      </p>
      <ul>
        {former.toReversed().map(({ from, finalPrice }) => (
          <li
            key={from}
            className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-2"
          >
            <span className="tabular">{`${moment(from)}: ${rupees(finalPrice)}`}</span>
            <Button
              aria-label={`Remove ${rupees(finalPrice)} of ${moment(from)}`}
              onClick={() => void press(from)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
