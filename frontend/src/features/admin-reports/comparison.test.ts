import { expect, it } from "vitest";
import { comparison } from "./use-report-query";

it.each([
  [3460, 25, 29, true, "Until yesterday 3,460: the 29 days before had 25"],
  [120, 0, 7, false, "The 7 days before had none"],
  [112, 100, 29, true, "Until yesterday 112: 12% more than the 29 days before"],
  [88, 100, 1, false, "12% fewer than the day before"],
  [100, 100, 7, false, "As many as the 7 days before"],
  [330, 100, 7, false, "3.3 times as many as the 7 days before"],
  [0, 80, 7, false, "100% fewer than the 7 days before"],
])("compares %i clicks with %i before", (now, before, days, goesOn, words) => {
  expect(comparison(now, before, days, goesOn)).toBe(words);
});
