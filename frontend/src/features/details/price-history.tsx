import { usePriceHistory } from "../../api/products/related";
import { day } from "../../lib/day";
import { rupees } from "../../lib/rupees";
import { allPrices, priceHistoryTitle } from "../../texts/en.json";

/** Former prices of a product; nothing if the price never changed. */
export function PriceHistory({ id }: { id: string }) {
  const { data } = usePriceHistory(id);
  if (!data?.plot) {
    return null;
  }
  const { path, gaps, levels, dates } = data.plot;
  return (
    <section className="panel history">
      <h2>{priceHistoryTitle}</h2>
      <div className="price-plot">
        <ol className="levels">
          {levels.map((level) => (
            <li key={level}>{level}</li>
          ))}
        </ol>
        <svg viewBox="0 0 600 120" preserveAspectRatio="none" aria-hidden>
          <path className="grid" d="M0 10H600M0 60H600M0 110H600" />
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
              <dd className={saved ? "save" : undefined}>{rupees(amount)}</dd>
            </div>
          ))}
        </dl>
      )}
      <details>
        <summary>{allPrices}</summary>
        <ul>
          {data.points.map(({ from, finalPrice }) => (
            <li key={from}>{`${day(from)}: ${rupees(finalPrice)}`}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
