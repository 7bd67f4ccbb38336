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
              {count(day.now)} by {until}:00, {count(day.before)} yesterday
              <Change of={day} />
            </small>
          )}
        </dd>
      </div>
      <div>
        <dt>Clicks, 7 days</dt>
        <dd>
          <b>{count(week.now)}</b>
          <small>
            {count(week.before)} in the 7 days before
            <Change of={week} />
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

/** The change in whole percent; nothing if that is 0, or if there was nothing before. */
function Change({ of: { now, before } }: { of: Compared }) {
  const change = before === 0 ? 0 : Math.round((now / before - 1) * 100);
  return (
    change !== 0 && (
      <>
        {" "}
        <b>
          ({change > 0 ? "+" : "−"}
          {count(Math.abs(change))}%)
        </b>
      </>
    )
  );
}
