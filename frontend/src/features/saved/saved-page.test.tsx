import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import type { Product } from "../../api/types";
import { aProduct, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const verdict = { kind: "lowest_90", words: "Good price" } as const;
const DEAL = { id: "p1", title: "Cable", image: "", category: "Audio", finalPrice: 50_000 };
/** A look of the visit before. */
const LOOK = { at: 1_000, ended: false, finalPrice: 45_000 };

beforeEach(() => localStorage.clear());

it.each([
  ["a fall", {}, LOOK, "₹556 less than at your last visit"],
  ["a rise", {}, { ...LOOK, finalPrice: 44_000 }, "₹444 more than at your last visit"],
  ["a change before it", {}, { ...LOOK, finalPrice: 44_444 }, "₹5,556 less than when you saved it"],
  ["an end", { state: "ended" }, LOOK, "Ended since your last visit"],
  ["an earlier end", { state: "ended" }, { at: 1_000, ended: true }, "Ended since you saved it"],
  ["a return", {}, { at: 1_000, ended: true }, "Back since your last visit"],
  ["a price that may not be kept", { shown: { asOf: "14:05" } }, LOOK, ""],
])("a saved deal says what moved since the last visit: %s", async (_, fields, seen, words) => {
  localStorage.setItem("saved", JSON.stringify([{ ...DEAL, seen }]));
  fakeServer(() => ({
    body: { product: aProduct({ verdict, finalPrice: 44_444, ...(fields as Partial<Product>) }) },
  }));
  renderApp("/saved");
  const title = await screen.findByRole("heading", { name: "Braided USB-C cable" });
  expect(title.closest("li")?.querySelector(".change")?.textContent).toBe(words);
  const [kept] = JSON.parse(localStorage.getItem("saved") ?? "");
  expect(kept.before).toEqual(seen);
  expect(kept.seen.finalPrice).toBe("shown" in fields ? undefined : 44_444);
});
