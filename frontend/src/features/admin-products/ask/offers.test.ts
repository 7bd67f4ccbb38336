import { expect, it } from "vitest";
import { chosenOf, offersFor } from "./offers";

const CATEGORIES = ["Electronics", "Clothing", "Books", "Home"];
const SELLERS = ["Amazon", "Flipkart", "Myntra"];

it.each([
  ["flip", ["Search “flip”", "Seller: Flipkart"]],
  ["book", ["Search “book”", "Category: Books"]],
  ["₹500–2,000", ["₹500–2,000", "Search “₹500–2,000”"]],
  ["2000-500", ["₹500–2,000", "Search “2000-500”"]],
  ["under 1,00,000", ["Up to ₹1,00,000", "Search “under 1,00,000”"]],
  ["500+", ["From ₹500", "Search “500+”"]],
  ["500", ["Search “500”", "Up to ₹500", "From ₹500"]],
  ["45 days", ["Search “45 days”", "Added over 45 days ago", "Price over 45 days old"]],
])("offers for %s what it may mean", (typed, labels) => {
  expect(offersFor(typed, SELLERS, CATEGORIES).map(({ label }) => label)).toEqual(labels);
});

it("sets both bounds of a price, so that an earlier one does not stay", () => {
  expect(offersFor("under 900", [], CATEGORIES)[0]?.asked).toEqual({ minPrice: "", maxPrice: "900" });
});

it("removes each filter of a list by its own chip, and a price as one", () => {
  const query = { page: 1, limit: 50, sortBy: "createdAt", order: "desc" };
  const chosen = chosenOf({
    ...query,
    search: "lamp",
    source: "Amazon",
    minPrice: 100,
    maxPrice: 900,
    minAge: 30,
  });
  expect(chosen).toEqual([
    { label: "“lamp”", asked: { search: "" } },
    { label: "Seller: Amazon", asked: { source: "" } },
    { label: "₹100–900", asked: { minPrice: "", maxPrice: "" } },
    { label: "Added over 30 days ago", asked: { minAge: "" } },
  ]);
  expect(chosenOf(query)).toEqual([]);
});
