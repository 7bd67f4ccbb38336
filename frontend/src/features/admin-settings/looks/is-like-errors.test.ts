import { expect, it } from "vitest";
import { isLikeErrors } from "./is-like-errors";

it.each(["#b3261e", "#ff0000", "#c8102e", "#e11d48"])("says that %s looks like errors", (colour) => {
  expect(isLikeErrors(colour)).toBe(true);
});

it.each(["#1a56b0", "#000000", "#ffffff", "#808080", "#f59e0b", "#7c3aed", "#8a7f7d"])(
  "lets %s pass",
  (colour) => {
    expect(isLikeErrors(colour)).toBe(false);
  },
);
