import { lazy, Suspense } from "react";
import type { PlotProps } from "./points";

// Only who looks at figures needs it, and the figures are there as a table without it.
const Drawn = lazy(() =>
  import("./plot").then(
    ({ Plot }) => ({ default: Plot }),
    () => import("./plot-table").then(({ PlotTable }) => ({ default: PlotTable })),
  ),
);

/** A plot, whose code comes when the first one is shown. */
export function LazyPlot(props: PlotProps) {
  return (
    <Suspense fallback={<div className="plot-waiting pulse" />}>
      <Drawn {...props} />
    </Suspense>
  );
}
