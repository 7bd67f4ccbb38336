import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Overview } from "../../api/types";
import { Figures } from "./figures";

/** Shows figures and returns the sentences below them. */
function show(changes: Partial<Overview>): string[] {
  const overview: Overview = {
    now: "2026-11-26T07:40:00+05:30",
    today: 10,
    until: 7,
    day: { now: 7, before: 8 },
    week: { now: 817, before: 742 },
    products: 48,
    sources: 4,
    days: [],
    verdicts: [],
    channels: [],
    movers: [],
    emptySearches: [],
    setup: [],
    deviceCounted: true,
    publicUrl: "https://shop.example",
    ...changes,
  };
  render(<Figures overview={overview} />);
  return [...document.querySelectorAll("small")].map(({ textContent }) => textContent);
}

it("names both numbers of a comparison and their change in percent", () => {
  expect(show({})).toEqual(["7 by 7:00, 8 yesterday (−12%)", "742 in the 7 days before (+10%)"]);
  expect(screen.getByText("10")).toBeVisible();
});

it("names no change that is less than half a percent", () => {
  const close = show({ day: { now: 7, before: 7 }, week: { now: 1_001, before: 1_000 } });
  expect(close).toEqual(["7 by 7:00, 7 yesterday", "1,000 in the 7 days before"]);
});

it("names no percentage when there were no clicks before", () => {
  const first = show({ day: { now: 7, before: 0 }, week: { now: 9, before: 0 } });
  expect(first).toEqual(["7 by 7:00, 0 yesterday", "0 in the 7 days before"]);
});

it("compares nothing in the first hour of a day", () => {
  expect(show({ until: null })[0]).toBe("The day has just begun.");
});
