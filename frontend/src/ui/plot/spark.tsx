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
      className="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      width={WIDTH}
      height={HEIGHT}
    >
      <path d={drawn([...values]) ?? undefined} />
    </svg>
  );
}
