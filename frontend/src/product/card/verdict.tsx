import type { Card, Product } from "../../api/types";
import { day } from "../../lib/day";
import { priceAsOf, priceSeenOn } from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { classNames } from "../../ui/class-names";
import { isCheaper } from "./floor";

/** The verdict in a sentence, and when the price was seen. */
export function VerdictPlate({ product }: { product: Product | Card }) {
  const { verdict, shown, state } = product;
  if (state === "ended" || shown?.hidesPrice) {
    return null;
  }
  if (!verdict) {
    return <Seen product={product} />;
  }
  return (
    <div className={classNames("plate", isCheaper(verdict) && "cheaper")}>
      <p>{verdict.sentence ?? verdict.words}</p>
      {verdict.watched && <p className="seen">{verdict.watched}</p>}
      <Seen product={product} />
    </div>
  );
}

function Seen({ product }: { product: Product | Card }) {
  const { shown, source } = product;
  // A card does not have the day: its place is kept until the product has loaded.
  const seen = "priceSeenOn" in product ? day(product.priceSeenOn) : "…";
  return (
    <p className="seen">
      {shown?.asOf
        ? fill(priceAsOf, { when: shown.asOf, seller: source })
        : fill(priceSeenOn, { day: seen, seller: source })}
    </p>
  );
}
