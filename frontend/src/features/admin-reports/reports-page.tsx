import { failureText } from "../../api/failure";
import { type Report, reportPath, useReport } from "../../api/office/reports";
import { count } from "../../lib/rupees";
import { shortDay } from "../../lib/time";
import { Button, ButtonAnchor } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { Block, OfficeScreen } from "../../ui/office-screen";
import { LazyPlot } from "../../ui/plot/lazy-plot";
import { Choices } from "./choices";
import { LeftOutList } from "./left-out-list";
import { ReportTable } from "./report-table";
import { type Asked, before, useAsked } from "./use-asked";

/** What was clicked: when, what it was told apart by, and each click that was left out. */
export function ReportsPage() {
  const asked = useAsked();
  const { query } = asked;
  const days = useReport({ ...query, by: "day" });
  const { data, error, mutate } = days;
  return (
    <OfficeScreen
      title="Reports"
      aside={data && `${shortDay(data.from)} to ${shortDay(data.to)}, days in India`}
      actions={
        <ButtonAnchor href={reportPath(query, "csv")} download>
          Download CSV
        </ButtonAnchor>
      }
    >
      <Choices asked={asked} />
      {error && (
        <Notice title={failureText(error)}>
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      )}
      {data && !error && <Contents asked={asked} days={data} />}
      <LeftOutList />
    </OfficeScreen>
  );
}

function Contents({ asked: { query }, days }: { asked: Asked; days: Report }) {
  const { data: was } = useReport({ ...query, by: "verdict", ...before(days) });
  const { counted, leftOut, clicks } = days.totals;
  const share = clicks === 0 ? 0 : Math.round((leftOut / clicks) * 1_000) / 10;
  return (
    <>
      <dl className="figures" aria-label="Sums">
        <div>
          <dt>Counted clicks</dt>
          <dd>
            <b>{count(counted)}</b>
            {was && <small>against {count(was.totals.counted)} in the time before</small>}
          </dd>
        </div>
        <div>
          <dt>Left out</dt>
          <dd>
            <b>{count(leftOut)}</b>
            <small>{share} % of all clicks</small>
          </dd>
        </div>
        <div>
          <dt>Clicks in all</dt>
          <dd>
            <b>{count(clicks)}</b>
            <small>counted and left out</small>
          </dd>
        </div>
      </dl>
      {clicks === 0 ? (
        <Notice title="Nothing was clicked in this time." />
      ) : (
        <>
          <Block title="By day">
            <LazyPlot
              title="Counted clicks and those left out, by day"
              kind={days.rows.length > 92 ? "line" : "bars"}
              column="Day"
              series={["counted", "left out"]}
              points={days.rows.map((row) => ({
                name: shortDay(row.key),
                short: shortDay(row.key),
                values: [row.counted, row.leftOut],
              }))}
              unfinished={query.to === undefined}
            />
          </Block>
          {query.by !== "day" && <Told query={query} days={days} />}
        </>
      )}
    </>
  );
}

function Told({ query, days }: { query: Asked["query"]; days: Report }) {
  const { data } = useReport(query);
  const { data: was } = useReport({ ...query, ...before(days) });
  return data?.by === query.by ? (
    <ReportTable report={data} was={was?.by === query.by ? was : undefined} />
  ) : null;
}
