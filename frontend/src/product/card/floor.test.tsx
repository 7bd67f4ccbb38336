import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PriceVerdict } from "../../api/types";
import { Floor, under } from "./floor";

function drawn(kind: PriceVerdict["kind"], path?: string) {
  const { container } = render(
    <Floor product={{ verdict: { kind, words: "Said of it", ...(path && { path }) } }} />,
  );
  const paths = [...container.querySelectorAll("path")].map((line) => line.getAttribute("d"));
  return [container.querySelector("svg")?.getAttribute("class"), ...paths];
}

it("draws the line of a proven price green, of another grey, and of one that is not known dotted", () => {
  const [line, area] = ["M0 3H56V17H64", "M0 200V3H56V17H64V200Z"];
  expect(drawn("lowest_90", line)).toEqual(["sky sky-low", area, line]);
  expect(drawn("proven_cheaper", line)).toEqual(["sky sky-low", area, line]);
  for (const kind of ["usual", "higher", "list_price_misleads", "list_price_raised"] as const) {
    expect(drawn(kind, line)).toEqual(["sky", area, line]);
  }
  expect(drawn("usual")).toEqual(["sky", "M0 200V10H64V200Z", "M0 10H64"]);
  expect(drawn("new")).toEqual(["sky sky-new", "M0 200V10H64V200Z", "M0 10H64"]);
  expect(drawn("unclear", line)).toEqual(["sky sky-new", area, line]);
});

it("draws nothing where the seller's rules forbid a verdict", () => {
  expect(render(<Floor product={{}} />).container).toBeEmptyDOMElement();
});

it("fills what is below each part of a line with gaps", () => {
  expect(under("M0 3H20V9H28M40 5H64", 20)).toBe("M0 20V3H20V9H28V20ZM40 20V5H64V20Z");
});
