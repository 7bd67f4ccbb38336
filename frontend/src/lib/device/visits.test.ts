import { renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { recordVisit, turnVisits, useVisitBefore } from "./visits";

const HOUR = 3_600_000;

function last(): number | undefined {
  return renderHook(() => useVisitBefore()).result.current;
}

describe("a visit", () => {
  beforeEach(() => localStorage.clear());

  it("ends after half an hour without a look at the list", () => {
    recordVisit(HOUR);
    expect(last()).toBeUndefined();
    recordVisit(1.4 * HOUR);
    expect(last()).toBeUndefined();
    recordVisit(2 * HOUR);
    expect(last()).toBe(1.4 * HOUR);
    recordVisit(2.1 * HOUR);
    expect(last()).toBe(1.4 * HOUR);
  });

  it("is not recorded when recording is turned off", () => {
    recordVisit(HOUR);
    recordVisit(3 * HOUR);
    turnVisits(false);
    recordVisit(5 * HOUR);
    expect(last()).toBeUndefined();
    expect(localStorage.getItem("visits")).toBe("off");
    turnVisits(true);
    recordVisit(6 * HOUR);
    expect(last()).toBeUndefined();
  });

  it("is empty when its storage is damaged", () => {
    localStorage.setItem("visits", "{");
    expect(last()).toBeUndefined();
  });
});
