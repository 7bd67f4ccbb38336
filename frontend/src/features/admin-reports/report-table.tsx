import { useState } from "react";
import type { Report, ReportRow } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { count, counted } from "../../lib/rupees";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { Block } from "../../ui/office-screen";
import { Bar } from "../../ui/plot/bar";
import { WAYS } from "./use-report-query";

interface ReportTableProps {
  report: Report;
  /** The report of the days before. */
  was: Report | undefined;
  days: number | undefined;
}

/** Rows that are shown at first. */
const FIRST = 10;
/** Maximum number of rows; the CSV file has all. */
const MOST = 100;

/** Rows of a report, those without clicks apart. */
export function ReportTable({ report, was, days }: ReportTableProps) {
  const [all, setAll] = useState(false);
  const rows = report.rows.filter((row) => row.counted + row.leftOut + (row.views ?? 0) > 0);
  const then = new Map(was?.rows.map((row) => [row.key, row]));
  const withViews = rows.some(({ views }) => views !== undefined);
  const title = WAYS.find(({ value }) => value === report.by)?.label ?? "Name";
  const most = Math.max(1, ...rows.map((row) => row.counted));
  return (
    <Block title={title}>
      <table className="rows report">
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col" className="num">
              Clicks
            </th>
            <th scope="col" className="num mid-cell">
              Before
            </th>
            <th scope="col" className="num">
              Not counted
            </th>
            {withViews && (
              <>
                <th scope="col" className="num mid-cell">
                  Views of its page
                </th>
                <th scope="col" className="num mid-cell">
                  Went to the seller
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, all ? MOST : FIRST).map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <Name report={report} row={row} />
                <Bar part={row.counted / most} />
                <small className="mid:hidden font-normal text-ink-2">
                  {more(row, was && (then.get(row.key)?.counted ?? 0))}
                </small>
              </th>
              <td className="num">
                <b>{count(row.counted)}</b>
              </td>
              <td className="num mid-cell text-ink-2">{was ? count(then.get(row.key)?.counted ?? 0) : ""}</td>
              <td className="num text-ink-2">{count(row.leftOut)}</td>
              {withViews && (
                <>
                  <td className="num mid-cell text-ink-2">{count(row.views ?? 0)}</td>
                  <td className="num mid-cell">{row.rate === undefined ? "–" : `${row.rate}%`}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > FIRST && !all && (
        <Button className="mt-3" onClick={() => setAll(true)}>
          {`Show all ${count(Math.min(rows.length, MOST))}`}
        </Button>
      )}
      {rows.length > MOST && all && (
        <p className="hint pt-2">
          The first {MOST} of {count(rows.length)}. The CSV has all.
        </p>
      )}
      {days !== undefined && was && (
        <p className="hint pt-2">{`Before: in the ${counted(days, "day", "days")} before.`}</p>
      )}
      {withViews && (
        <p className="hint">
          Clicks are from everywhere, like cards and posts. Went to the seller: share of the views of a deal's
          own page with a click on its Buy link.
        </p>
      )}
    </Block>
  );
}

/** Returns the numbers that a phone has no columns for. */
function more({ views, rate }: ReportRow, before: number | undefined): string {
  return [
    before === undefined ? [] : `Before ${count(before)}`,
    views === undefined ? [] : `Its page: ${counted(views, "view", "views")}`,
    rate === undefined ? [] : `${rate}% went to the seller`,
  ]
    .flat()
    .join(" · ");
}

function Name({ report: { by }, row: { key, label } }: { report: Report; row: ReportRow }) {
  if (by === "product") {
    return (
      <Link to={paths.details(key)} className="clamp-2 link">
        {label}
      </Link>
    );
  }
  if (by === "source") {
    return (
      <Link to={`${office.reports}?by=product&source=${encodeURIComponent(key)}`} className="link">
        {label}
      </Link>
    );
  }
  return label;
}
