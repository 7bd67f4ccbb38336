import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Report } from "../../api/types";
import { Reasons } from "./reports-page";

function ofReasons(...leftOut: number[]): Report {
  const rows = leftOut.map((number, at) => ({
    key: `r${at}`,
    label: `Reason ${at}`,
    counted: 0,
    leftOut: number,
  }));
  const totals = { counted: 0, leftOut: leftOut.reduce((sum, number) => sum + number, 0) };
  return { by: "verdict", totals, rows } as unknown as Report;
}

it.each([
  [
    [900, 100, 92, 128, 100],
    ["900 · Reason 0", "128 · Reason 3", "100 · Reason 1", "192 · Other"],
  ],
  [
    [5, 7],
    ["7 · Reason 1", "5 · Reason 0"],
  ],
])("names reasons for %j clicks that were not counted, with as many in all", (leftOut, lines) => {
  render(<Reasons of={ofReasons(...leftOut)} />);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(lines);
});
