import type { ReactNode } from "react";

/** A point of a plot: its name, its short label, and a value for each series. */
export interface PlotPoint {
  name: string;
  short: string;
  values: readonly number[];
}

export interface PlotProps {
  title: string;
  kind: "bars" | "line";
  /** Names of the series; bars are stacked, and only the first series is filled. */
  series: readonly string[];
  points: readonly PlotPoint[];
  column: string;
  /** Legend of the colours, shown while no point is explored. */
  legend?: ReactNode;
  /** The last point is still growing. */
  unfinished?: boolean;
}
