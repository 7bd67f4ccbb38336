// Mirrored by src/http/pages/details/history.rs

import { usePriceHistory } from "../../api/products/related";
import { day } from "../../lib/day";
import { rupees } from "../../lib/rupees";

/** Former prices of a product; nothing if none are recorded. */
export function PriceHistory({ id }: { id: string }) {
  const { data } = usePriceHistory(id);
  if (!data?.since) {
    return null;
  }
  const figures = [
    ["Lowest in 30 days", data.low30],
    ["Lowest in 90 days", data.low90],
    ["Usual price", data.usual],
  ] as const;
  return (
    <section className="history">
      <h2>Price history</h2>
      {data.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {data.path && (
        <>
          <svg viewBox="0 0 600 120" preserveAspectRatio="none" aria-hidden>
            <path d={data.path} />
          </svg>
          <dl className="facts">
            {figures.map(
              ([name, price]) =>
                price !== null && (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{rupees(price)}</dd>
                  </div>
                ),
            )}
          </dl>
          <details>
            <summary>All prices</summary>
            <ul>
              {data.points.map(({ from, finalPrice }) => (
                <li key={from}>{`${day(from)}: ${rupees(finalPrice)}`}</li>
              ))}
            </ul>
          </details>
        </>
      )}
    </section>
  );
}
