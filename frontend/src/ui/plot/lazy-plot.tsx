import { lazy, Suspense } from "react";
import type { PlotProps } from "./points";

// Loaded on demand: the same figures are shown as a table.
const Drawn = lazy(() =>
  import("./plot").then(
    ({ Plot }) => ({ default: Plot }),
    () => import("./plot-table").then(({ PlotTable }) => ({ default: PlotTable })),
  ),
);

/** A plot; its code is loaded with the first one. */
export function LazyPlot(props: PlotProps) {
  return (
    <Suspense fallback={<div className="pulse min-h-64" />}>
      <Drawn {...props} />
    </Suspense>
  );
}
