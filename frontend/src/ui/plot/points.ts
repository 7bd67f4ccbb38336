/** A point of a plot: its whole name, the short one below it, and a value for each series. */
export interface PlotPoint {
  name: string;
  short: string;
  values: readonly number[];
}

export interface PlotProps {
  title: string;
  kind: "bars" | "line";
  /** What each value of a point is; bars stand on each other, and only the first is filled. */
  series: readonly string[];
  points: readonly PlotPoint[];
  /** What a point is, above the first column of the table. */
  column: string;
  /** Whether the last point still grows. */
  unfinished?: boolean;
}
