import { count } from "../../lib/rupees";
import type { PlotProps } from "./points";

export function PlotTable({ title, column, series, points }: Omit<PlotProps, "kind">) {
  return (
    <details className="col-span-full text-ink text-sm">
      <summary className="inline-flex min-h-11 items-center font-semibold text-accent">As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <section aria-label={`${title}, as a table`} tabIndex={0} className="max-h-80 overflow-y-auto">
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">{column}</th>
              {series.map((name) => (
                <th key={name} scope="col" className="num">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {series.map((of, index) => (
                  <td key={of} className="num">
                    {count(values[index] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
