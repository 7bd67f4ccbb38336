import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { count } from "../../lib/rupees";
import { classNames } from "../class-names";
import { labelled } from "./labels";
import { moved } from "./moved";
import { PlotTable } from "./plot-table";
import type { PlotPoint, PlotProps } from "./points";

/** Units of the drawing, which is stretched; labels are outside. */
const WIDTH = 1_000;
const HEIGHT = 300;
/** Approximate number of grid lines. */
const TICKS = 4;
/** Average width of the letters and digits of a date in a wide typeface, as a part of the size of the text. */
const LETTER = 0.62;
/** Part of a bar's width that is empty. */
const EMPTY = 0.18;
/** Lines as thick as elsewhere, in a drawing that is stretched. */
const LINE = "[vector-effect:non-scaling-stroke] forced-colors:stroke-[CanvasText]";

/** Bars or a line with axes, explored by arrow keys or a pointer, and the same as a table. */
export function Plot({ title, kind, series, points, column, legend, unfinished = false }: PlotProps) {
  const id = useId();
  const [at, setAt] = useState<number>();
  const total = (point: PlotPoint) =>
    kind === "bars" ? point.values.reduce((sum, value) => sum + value, 0) : Math.max(...point.values);
  const most = Math.max(1, ...points.map(total));
  const y = scaleLinear().domain([0, most]).nice(TICKS).range([HEIGHT, 0]);
  const ticks = y.ticks(TICKS).filter(Number.isInteger);
  const x = scaleBand<number>()
    .domain(points.map((_, index) => index))
    .range([0, WIDTH])
    .paddingInner(kind === "bars" ? EMPTY : 0)
    .paddingOuter(kind === "bars" ? EMPTY / 2 : 0);
  const last = points.length - 1;
  const here = at === undefined ? undefined : points[Math.min(at, last)];

  const press = (event: KeyboardEvent) => {
    const now = at ?? (event.key === "ArrowLeft" ? last + 1 : -1);
    setAt(moved(event, now, last) ?? at);
  };
  const point = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * points.length))));
  };

  return (
    <figure
      className="plot grid flex-1 grid-cols-[minmax(1.75rem,auto)_minmax(0,1fr)] grid-rows-[minmax(12rem,1fr)_auto_auto_auto] gap-x-2"
      aria-labelledby={id}
    >
      <figcaption id={id} className="sr-only">
        {title}
      </figcaption>
      <div className="relative min-w-8 text-right" aria-hidden>
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute right-0 translate-y-1/2"
            style={{ bottom: `${(tick / (y.domain()[1] ?? 1)) * 100}%` }}
          >
            {count(tick)}
          </span>
        ))}
      </div>
      <div
        className="relative border-field border-b"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={described(here ?? points[last], series)}
        onKeyDown={press}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
      >
        <Drawing kind={kind} series={series} points={points} x={x} y={y} at={at} unfinished={unfinished} />
      </div>
      <Labels points={points} />
      <p className="col-start-2 pt-1 text-right text-ink" aria-hidden>
        {here ? described(here, series) : (legend ?? "\u00a0")}
      </p>
      <PlotTable title={title} column={column} series={series} points={points} />
    </figure>
  );
}

interface DrawingProps extends Pick<PlotProps, "kind" | "series" | "points"> {
  x: ScaleBand<number>;
  y: ScaleLinear<number, number>;
  /** Index of the point that is explored. */
  at: number | undefined;
  unfinished: boolean;
}

function Drawing({ kind, series, points, x, y, at, unfinished }: DrawingProps) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
      aria-hidden
    >
      {y
        .ticks(TICKS)
        .filter(Number.isInteger)
        .map((tick) => (
          <line
            key={tick}
            className={`stroke-1 stroke-line ${LINE}`}
            x1={0}
            x2={WIDTH}
            y1={y(tick)}
            y2={y(tick)}
          />
        ))}
      {at !== undefined && (
        <rect
          className="fill-raised stroke-none"
          x={(x(at) ?? 0) - (x.step() - x.bandwidth()) / 2}
          width={x.step()}
          y={0}
          height={HEIGHT}
        />
      )}
      {kind === "bars"
        ? points.map(({ name, values }, index) => (
            <Bar
              key={name}
              x={x(index) ?? 0}
              width={x.bandwidth()}
              edges={edges(values).map(y)}
              unfinished={unfinished && index === points.length - 1}
            />
          ))
        : series.map((name, of) => (
            <path
              key={name}
              className={classNames(LINE, of === 1 ? "stroke-ink-3 [stroke-dasharray:4_3]" : "stroke-fill")}
              d={
                line<PlotPoint>(
                  (_, index) => (x(index) ?? 0) + x.bandwidth() / 2,
                  ({ values }) => y(values[of] ?? 0),
                )([...points]) ?? undefined
              }
            />
          ))}
    </svg>
  );
}

/** The labels that have room below the drawing. */
function Labels({ points }: Pick<PlotProps, "points">) {
  const line = useRef<HTMLDivElement>(null);
  const [{ width, text }, setSize] = useState({ width: 0, text: 0 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) {
        const { fontSize } = getComputedStyle(entry.target);
        setSize({ width: entry.contentRect.width, text: Number.parseFloat(fontSize) });
      }
    });
    if (line.current) {
      observer.observe(line.current);
    }
    return () => observer.disconnect();
  }, []);
  const widest = Math.max(...points.map(({ short }) => short.length)) * LETTER * text;
  const last = points.length - 1;
  return (
    <div ref={line} className="relative col-start-2 h-6" aria-hidden>
      {labelled(points.length, width, widest).map((at) => (
        <span
          key={at}
          className={classNames(
            "absolute bottom-0 whitespace-nowrap",
            at === last ? "right-0" : "-translate-x-1/2",
          )}
          style={at === last ? undefined : { left: `${((at + 0.5) / points.length) * 100}%` }}
        >
          {points[at]?.short}
        </span>
      ))}
    </div>
  );
}

/** Returns the start and end of each value of a stacked bar. */
function edges(values: readonly number[]): number[] {
  const found = [0];
  for (const value of values) {
    found.push((found.at(-1) ?? 0) + value);
  }
  return found;
}

interface BarProps {
  x: number;
  width: number;
  /** Returns the heights at which the values of a stacked bar meet, from 0. */
  edges: number[];
  unfinished: boolean;
}

/** A stacked bar: counted clicks filled, left out ones hollow. */
function Bar({ x, width, edges: [ground = 0, top = ground, end = top], unfinished }: BarProps) {
  const look = unfinished ? `fill-accent-bg stroke-1 stroke-accent ${LINE}` : "fill-fill stroke-none";
  return (
    <>
      {ground > top && (
        <rect
          className={`${look} forced-colors:fill-[CanvasText]`}
          x={x}
          width={width}
          y={top}
          height={ground - top}
        />
      )}
      {top > end && (
        <rect
          className={`fill-surface stroke-1 stroke-field ${LINE}`}
          x={x}
          width={width}
          y={end}
          height={top - end}
        />
      )}
    </>
  );
}

function described(point: PlotPoint | undefined, series: readonly string[]): string {
  if (!point) {
    return "";
  }
  const values = series.map((name, of) => `${count(point.values[of] ?? 0)} ${name}`);
  return `${point.name}: ${values.join(", ")}`;
}
