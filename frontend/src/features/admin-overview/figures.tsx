import type { Compared, Overview } from "../../api/types";
import { count } from "../../lib/rupees";

export function Figures({
  overview: { today, until, day, week, products, sources },
}: {
  overview: Overview;
}) {
  return (
    <dl className="figures">
      <div>
        <dt>Clicks today</dt>
        <dd>
          <b>{count(today)}</b>
          {until === null ? (
            <small>The day has just begun.</small>
          ) : (
            <small>
              <Change of={day} /> by {until}:00, against {count(day.before)} yesterday
            </small>
          )}
        </dd>
      </div>
      <div>
        <dt>Clicks, 7 days</dt>
        <dd>
          <b>{count(week.now)}</b>
          <small>
            <Change of={week} /> against {count(week.before)} before
          </small>
        </dd>
      </div>
      <div>
        <dt>Deals</dt>
        <dd>
          <b>{count(products)}</b>
        </dd>
      </div>
      <div>
        <dt>Sellers</dt>
        <dd>
          <b>{count(sources)}</b>
        </dd>
      </div>
    </dl>
  );
}

/** Formats a change in percent, or in numbers if there was nothing before. */
function Change({ of: { now, before } }: { of: Compared }) {
  const change = before === 0 ? now : Math.round((now / before - 1) * 100);
  const sign = change > 0 ? "+" : change < 0 ? "−" : "±";
  return (
    <b>
      {sign}
      {count(Math.abs(change))}
      {before === 0 ? "" : "%"}
    </b>
  );
}
