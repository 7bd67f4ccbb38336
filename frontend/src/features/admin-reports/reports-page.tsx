import { failureText } from "../../api/failure";
import { reportPath, useReport } from "../../api/office/reports";
import type { Report } from "../../api/types";
import { count } from "../../lib/rupees";
import { shortDay } from "../../lib/time";
import { ButtonAnchor } from "../../ui/button";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { Block, OfficeScreen } from "../../ui/office-screen";
import { LazyPlot } from "../../ui/plot/lazy-plot";
import { Choices } from "./choices";
import { LeftOutList } from "./left-out-list";
import { ReportTable } from "./report-table";
import { compared, comparison, type ReportState, useReportQuery } from "./use-report-query";

/** A square in a colour of the plot. */
const SWATCH = "inline-block size-3 border align-[-1px]";

/** Report of clicks by day and dimension, and the clicks that were not counted. */
export function ReportsPage() {
  const asked = useReportQuery();
  const { query } = asked;
  const { data, error, mutate } = useReport({ ...query, by: "day" });
  return (
    <OfficeScreen
      title="Reports"
      note={data && `${shortDay(data.from)} to ${shortDay(data.to)}`}
      actions={
        <ButtonAnchor href={reportPath(query, "csv")} download>
          Download CSV
        </ButtonAnchor>
      }
    >
      <Choices asked={asked} />
      <Loaded call={{ data: error ? undefined : data, error, mutate }} failure={failureText(error)}>
        {(report) => <Contents asked={asked} days={report} />}
      </Loaded>
      <LeftOutList />
    </OfficeScreen>
  );
}

function Contents({ asked: { query }, days }: { asked: ReportState; days: Report }) {
  const goesOn = query.to === undefined;
  const over = compared(days, goesOn);
  const { data: was } = useReport(over && { ...query, by: "verdict", ...over.before });
  const { data: reasons } = useReport({ ...query, by: "verdict" });
  const sum = days.rows.slice(0, over?.days ?? 0).reduce((all, row) => all + row.counted, 0);
  const { counted: meant, leftOut, clicks } = days.totals;
  const share = clicks === 0 ? 0 : Math.round((leftOut / clicks) * 1_000) / 10;
  return (
    <>
      <dl className="figures" aria-label="Sums">
        <div>
          <dt>Counted clicks</dt>
          <dd>
            <b>{count(meant)}</b>
            {over && was && <small>{comparison(sum, was.totals.counted, over.days, goesOn)}</small>}
          </dd>
        </div>
        <div>
          <dt>Not counted</dt>
          <dd>
            <b>{count(leftOut)}</b>
            <small>{`${share}% of all clicks`}</small>
            {reasons?.by === "verdict" && <Reasons of={reasons} />}
          </dd>
        </div>
        <div>
          <dt>All clicks</dt>
          <dd>
            <b>{count(clicks)}</b>
            <small>counted and not</small>
          </dd>
        </div>
      </dl>
      {clicks === 0 ? (
        <Notice title="No clicks in this period." />
      ) : (
        <>
          <Block title="By day">
            <LazyPlot
              title="Counted clicks and those not counted, by day"
              kind={days.rows.length > 92 ? "line" : "bars"}
              column="Day"
              series={["counted", "not counted"]}
              points={days.rows.map((row) => ({
                name: shortDay(row.key),
                short: shortDay(row.key),
                values: [row.counted, row.leftOut],
              }))}
              unfinished={goesOn}
              legend={
                <>
                  <i className={`${SWATCH} border-fill bg-fill`} /> counted{" "}
                  <i className={`${SWATCH} ms-3 border-ink-3`} /> not counted
                  {goesOn && (
                    <>
                      {" "}
                      <i className={`${SWATCH} ms-3 border-accent bg-accent-bg`} /> today so far
                    </>
                  )}
                </>
              }
            />
          </Block>
          {query.by !== "day" && <Breakdown query={query} days={days} />}
        </>
      )}
    </>
  );
}

/** The most frequent reasons why clicks were not counted, and the others as one sum. */
export function Reasons({ of: { rows, totals } }: { of: Report }) {
  const reasons = rows
    .filter((row) => row.leftOut > 0)
    .sort((one, other) => other.leftOut - one.leftOut)
    .slice(0, 3);
  const rest = reasons.reduce((left, row) => left - row.leftOut, totals.leftOut);
  return (
    <ul aria-label="Why not counted">
      {reasons.map(({ key, label, leftOut }) => (
        <li key={key}>
          <small>{`${count(leftOut)} · ${label}`}</small>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <small>{`${count(rest)} · Other`}</small>
        </li>
      )}
    </ul>
  );
}

function Breakdown({ query, days }: { query: ReportState["query"]; days: Report }) {
  const { data } = useReport(query);
  const over = compared(days, query.to === undefined);
  const { data: was } = useReport(over && { ...query, ...over.before });
  const before = was?.by === query.by && was.totals.counted > 0 ? was : undefined;
  return data?.by === query.by ? (
    <ReportTable key={query.by} report={data} was={before} days={over?.days} />
  ) : null;
}
