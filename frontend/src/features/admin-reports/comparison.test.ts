import { expect, it } from "vitest";
import { comparison } from "./use-report-query";

it.each([
  [3460, 25, 29, true, "Up from 25 in the 29 days before, without today"],
  [120, 0, 7, false, "No clicks in the 7 days before"],
  [112, 100, 29, true, "Up 12% on the 29 days before, without today"],
  [88, 100, 1, false, "Down 12% on the day before"],
  [100, 100, 7, false, "Same as the 7 days before"],
  [0, 0, 29, true, "Same as the 29 days before, without today"],
  [330, 100, 7, false, "Up from 100 in the 7 days before"],
  [0, 80, 7, false, "Down 100% on the 7 days before"],
])("compares %i clicks with %i before", (now, before, days, goesOn, words) => {
  expect(comparison(now, before, days, goesOn)).toBe(words);
});
