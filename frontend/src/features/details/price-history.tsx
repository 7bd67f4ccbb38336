import { type KeyboardEvent, type PointerEvent, useEffect, useState } from "react";
import { usePriceHistory } from "../../api/products/related";
import type { Tile } from "../../api/types";
import { day } from "../../lib/day";
import { shortRupees } from "../../lib/rupees";
import { isCheaper, under } from "../../product/card/floor";
import { allPrices, priceHistoryTitle } from "../../texts/en.json";
import { classNames } from "../../ui/class-names";
import { moved } from "../../ui/plot/moved";

/** Width of the server's drawing. */
const WIDTH = 600;

/** Former prices of a product; nothing if the price never changed. */
export function PriceHistory({ product: { _id, verdict } }: { product: Pick<Tile, "_id" | "verdict"> }) {
  const { data } = usePriceHistory(_id);
  const [isReady, setReady] = useState(false);
  const [at, setAt] = useState<number>();
  useEffect(() => setReady(true), []);
  if (!data?.plot) {
    return null;
  }
  const { path, gaps, levels, dates, marks, lowest, readings } = data.plot;
  const last = readings.length - 1;
  const here = at === undefined ? undefined : readings[Math.min(at, last)];
  const press = (event: KeyboardEvent) => setAt(moved(event, at ?? last, last) ?? at);
  const point = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * WIDTH;
    setAt(
      Math.max(
        readings.findLastIndex((reading) => reading.left <= x),
        0,
      ),
    );
  };
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
        <div
          {...(isReady && {
            role: "slider",
            tabIndex: 0,
            "aria-label": priceHistoryTitle,
            "aria-valuemin": 0,
            "aria-valuemax": last,
            "aria-valuenow": at ?? last,
            "aria-valuetext": (here ?? readings[last])?.words,
            onKeyDown: press,
            onPointerDown: point,
            onPointerMove: point,
            onBlur: () => setAt(undefined),
          })}
        >
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
            {here && <path className="gap" d={`M${(here.left + here.right) / 2} 0V140`} />}
            <path className="mark" d={marks} />
          </svg>
        </div>
        <ol className="dates">
          {dates.map((date) => (
            <li key={date}>{date}</li>
          ))}
        </ol>
      </div>
      <p className="seen" aria-hidden={here && true}>
        {here?.words ?? lowest}
      </p>
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
