import { renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { lookBefore, recordLook, toggleSaved, useSaved } from "./saved";

const HOUR = 3_600_000;

function priceBefore(now: number): number | undefined {
  const [deal] = renderHook(() => useSaved()).result.current;
  return deal && lookBefore(deal, now)?.finalPrice;
}

describe("a saved deal", () => {
  beforeEach(() => {
    localStorage.clear();
    toggleSaved({ id: "a", title: "Cable", image: "", category: "Audio", finalPrice: 500 });
  });

  it("is compared with the last look of the visit before", () => {
    recordLook("a", { ended: false, finalPrice: 400 }, HOUR);
    expect(priceBefore(1.1 * HOUR)).toBeUndefined();
    recordLook("a", { ended: false, finalPrice: 300 }, 1.2 * HOUR);
    expect(priceBefore(1.3 * HOUR)).toBeUndefined();
    expect(priceBefore(3 * HOUR)).toBe(300);
    recordLook("a", { ended: false, finalPrice: 200 }, 3 * HOUR);
    recordLook("a", { ended: false, finalPrice: 100 }, 3.1 * HOUR);
    expect(priceBefore(3.2 * HOUR)).toBe(300);
  });

  it("has no look before when its storage is damaged", () => {
    const [deal] = JSON.parse(localStorage.getItem("saved") ?? "[]");
    localStorage.setItem("saved", JSON.stringify([{ ...deal, seen: 7, before: { at: "x" } }]));
    expect(priceBefore(9 * HOUR)).toBeUndefined();
  });
});
