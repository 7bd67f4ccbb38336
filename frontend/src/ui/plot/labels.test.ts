import { expect, it } from "vitest";
import { labelled } from "./labels";

/** Returns the edges of each label, from the left. */
function edges(points: number, width: number, label: number): [number, number][] {
  return labelled(points, width, label).map((at) => {
    const end = at === points - 1 ? width : ((at + 0.5) * width) / points + label / 2;
    return [end - label, end];
  });
}

it("labels the last day and whole weeks before it", () => {
  expect(labelled(30, 380, 40)).toEqual([8, 15, 22, 29]);
  expect(labelled(90, 900, 40)).toEqual([5, 12, 19, 26, 33, 40, 47, 54, 61, 68, 75, 82, 89]);
});

it("labels every day where there is room, or every other", () => {
  expect(labelled(7, 700, 40)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(labelled(7, 280, 40)).toEqual([0, 2, 4, 6]);
});

it("labels the last day alone where nothing else has room", () => {
  expect(labelled(1, 280, 40)).toEqual([0]);
  expect(labelled(30, 0, 40)).toEqual([29]);
  expect(labelled(30, 60, 40)).toEqual([29]);
});

it("keeps 8 px between labels and within the drawing, at any width", () => {
  for (const points of [1, 2, 7, 30, 31, 90, 92, 365, 730]) {
    for (let width = 40; width < 1_600; width += 7) {
      for (const label of [20, 40, 76, 150]) {
        const found = edges(points, width, label);
        for (const [index, [start, end]] of found.entries()) {
          const next = found[index + 1];
          expect(next === undefined || next[0] - end > 7.999).toBe(true);
          expect(found.length === 1 || start > -0.001).toBe(true);
        }
      }
    }
  }
});
