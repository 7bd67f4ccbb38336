import type { Card, PriceVerdict, Product, Tile } from "../../api/types";
import { day } from "../../lib/day";
import { asOf, checkPrice, priceAsOf, priceSeenOn } from "../../texts/en.json";
import { fill } from "../../texts/fill";
import { classNames } from "../../ui/class-names";

type Kind = PriceVerdict["kind"];

const CHEAPER: readonly Kind[] = ["lowest_90", "lowest_30", "proven_cheaper"];

/** The line of a card: the verdict on its price, else a hint; never empty. */
export function VerdictLine({ product: { verdict, shown, source } }: { product: Tile }) {
  if (!verdict) {
    return (
      <p className="verdict">
        {shown?.asOf ? fill(asOf, { when: shown.asOf }) : fill(checkPrice, { seller: source })}
      </p>
    );
  }
  return (
    <p className={classOf("verdict", verdict)}>
      <SmallPlot verdict={verdict} />
      {verdict.words}
      {shown?.asOf && <small>{` ${fill(asOf, { when: shown.asOf })}`}</small>}
    </p>
  );
}

/** The verdict on the price of a tile, in words only. */
export function VerdictWords({ product: { verdict } }: { product: Tile }) {
  return verdict ? (
    <small className={CHEAPER.includes(verdict.kind) ? "cheaper" : undefined}>{verdict.words}</small>
  ) : null;
}

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
    <div className={classOf("plate", verdict)}>
      <SmallPlot verdict={verdict} />
      <p>{verdict.sentence ?? verdict.words}</p>
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

function classOf(part: string, { kind }: PriceVerdict): string {
  return classNames(part, CHEAPER.includes(kind) && "cheaper");
}

function SmallPlot({ verdict: { path } }: { verdict: PriceVerdict }) {
  return path ? (
    <svg viewBox="0 0 64 20" aria-hidden>
      <path d={path} />
    </svg>
  ) : null;
}
