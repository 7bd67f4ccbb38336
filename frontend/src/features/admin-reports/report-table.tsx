import type { Report } from "../../api/reports";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { Link } from "../../ui/link";

/** The lines of a report, those without clicks apart. */
export function ReportTable({ report }: { report: Report }) {
  const rows = report.rows.filter(({ counted, leftOut }) => counted + leftOut > 0);
  return (
    <table className="tabular w-full max-w-[44rem] text-sm">
      <caption className="pb-2 text-left text-ink-2">
        From {report.from} to {report.to}, days in India
      </caption>
      <thead>
        <tr className="border-b border-line text-ink-2">
          <th scope="col" className="py-2 text-left font-semibold">
            {report.by === "day" ? "Day" : "What"}
          </th>
          <th scope="col" className="py-2 pl-4 text-right font-semibold">
            Counted
          </th>
          <th scope="col" className="py-2 pl-4 text-right font-semibold whitespace-nowrap">
            Left out
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, counted, leftOut }) => (
          <tr key={key} className="border-b border-line align-top">
            <th scope="row" className="py-2 text-left font-normal break-words">
              {report.by === "product" ? (
                <Link to={paths.details(key)} className="line-clamp-2 rounded text-accent underline">
                  {label}
                </Link>
              ) : (
                label
              )}
            </th>
            <td className="py-2 pl-4 text-right">{count(counted)}</td>
            <td className="py-2 pl-4 text-right text-ink-2">{count(leftOut)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
