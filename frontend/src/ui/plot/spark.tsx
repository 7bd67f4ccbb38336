import { line } from "d3-shape";

const WIDTH = 88;
const HEIGHT = 24;

export function Spark({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const drawn = line<number>(
    (_, index) => (index / Math.max(1, values.length - 1)) * WIDTH,
    (value) => HEIGHT - 1 - (value / most) * (HEIGHT - 2),
  );
  return (
    <svg
      className="spark ml-2 inline-block h-5 w-16 overflow-visible stroke-[1.5] stroke-ink-2 align-middle"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      width={WIDTH}
      height={HEIGHT}
    >
      <path vectorEffect="non-scaling-stroke" d={drawn([...values]) ?? undefined} />
    </svg>
  );
}
