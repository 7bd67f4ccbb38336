import type { Enrolment } from "../../../api/types";

/** Modules of the margin that scanners need. */
const MARGIN = 4;

/** A QR code, dark on light in both themes. */
export function Qr({ of: { size, path } }: { of: Enrolment["qr"] }) {
  const side = size + 2 * MARGIN;
  return (
    <svg
      role="img"
      aria-label="QR code for the app"
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="my-3 aspect-square h-auto w-full max-w-56 rounded-card border border-line"
    >
      <rect x={-MARGIN} y={-MARGIN} width={side} height={side} fill="#fff" stroke="none" />
      <path d={path} fill="#000" stroke="none" />
    </svg>
  );
}
