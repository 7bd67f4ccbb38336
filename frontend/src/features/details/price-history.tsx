import { usePriceHistory } from "../../api/products/related";
import type { Tile } from "../../api/types";
import { day } from "../../lib/day";
import { shortRupees } from "../../lib/rupees";
import { isCheaper, under } from "../../product/card/floor";
import { allPrices, priceHistoryTitle } from "../../texts/en.json";
import { classNames } from "../../ui/class-names";

/** Former prices of a product; nothing if the price never changed. */
export function PriceHistory({ product: { _id, verdict } }: { product: Pick<Tile, "_id" | "verdict"> }) {
  const { data } = usePriceHistory(_id);
  if (!data?.plot) {
    return null;
  }
  const { path, gaps, levels, dates } = data.plot;
  const isLow = verdict !== undefined && isCheaper(verdict);
  return (
    <section className="history">
      <h2>{priceHistoryTitle}</h2>
      <div className="price-plot">
        <ol className="levels">
          {levels.map((level) => (
            <li key={level}>{level}</li>
          ))}
        </ol>
        <svg
          viewBox="0 0 600 140"
          preserveAspectRatio="none"
          className={classNames("sky", isLow && "sky-low")}
          aria-hidden
        >
          <path className="grid" d="M0 10H600M0 60H600M0 110H600" />
          <path className="under" d={under(path, 140)} />
          <path d={path} />
          {gaps && <path className="gap" d={gaps} />}
        </svg>
        <ol className="dates">
          {dates.map((date) => (
            <li key={date}>{date}</li>
          ))}
        </ol>
      </div>
      {data.figures.length > 0 && (
        <dl className="price-figures">
          {data.figures.map(({ name, amount, saved }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={saved ? "save" : undefined}>{shortRupees(amount)}</dd>
            </div>
          ))}
        </dl>
      )}
      <details>
        <summary>{allPrices}</summary>
        <ul>
          {data.points.map(({ from, finalPrice }) => (
            <li key={from}>{`${day(from)}: ${shortRupees(finalPrice)}`}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
