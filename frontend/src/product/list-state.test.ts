import { describe, expect, it } from "vitest";
import { changed, listAddress, readQuery, withSeller } from "./list-state";

const read = (search: string) => readQuery(new URLSearchParams(search));

describe("the address of the list", () => {
  it("leaves out default values", () => {
    expect(listAddress(read(""))).toBe("/");
    expect(listAddress(read("sortBy=createdAt&order=desc&page=1&category=all"))).toBe("/");
    expect(listAddress(read("search=tea&sortBy=relevance"))).toBe("/?search=tea");
    expect(listAddress(read("search=tea&sortBy=createdAt"))).toBe("/?search=tea&sortBy=createdAt");
  });

  it("keeps every filter, always in the same order", () => {
    const address =
      "/?search=a+b&category=Home&source=M%26M&minPrice=1.5&maxPrice=20&minDiscount=10&sortBy=clicks&order=asc&page=3";
    const shuffled =
      "page=3&order=asc&sortBy=clicks&minDiscount=10&maxPrice=20&minPrice=1.50&source=M%26M&category=Home&search=a b";
    expect(listAddress(read(shuffled))).toBe(address);
  });

  it("names each seller once, at most eight, and leaves the page of a seller for several", () => {
    expect(listAddress(read("source=B&source=A+%26+C&source=B"))).toBe("/?source=A+%26+C&source=B");
    const nine = Array.from({ length: 9 }, (_, at) => `source=${at}`).join("&");
    expect(listAddress(read(nine))).toBe("/");
    const shelf = { path: "/seller/b", filters: { source: "B" } };
    const onShelf = { ...read("source=B"), shelf };
    expect(listAddress(changed(onShelf, { source: withSeller(onShelf, "A") }))).toBe("/?source=A&source=B");
    expect(withSeller(read("source=A&source=B"), "A")).toBe("B");
  });

  it("parses prices in every typed form, the lower one first", () => {
    expect(read("minPrice=1,00,000&maxPrice=₹ 500")).toMatchObject({ minPrice: 500, maxPrice: 100_000 });
  });

  it.each([
    "minPrice=-1",
    "minPrice=1.234",
    "maxPrice=1e3",
    "maxPrice=1000000001",
    "minDiscount=101",
    "minRating=6",
  ])("ignores %s", (said) => {
    expect(listAddress(read(said))).toBe("/");
  });
});

describe("changing a filter", () => {
  it("resets the page and a default sort", () => {
    const listed = read("page=4&category=Books");
    expect(changed(listed, { search: "tea" })).toMatchObject({ page: 1, sortBy: "relevance" });
    expect(changed(read("search=tea&page=2"), { search: "" })).toMatchObject({
      page: 1,
      sortBy: "createdAt",
    });
    expect(changed(read("sortBy=price"), { search: "tea" })).toMatchObject({ sortBy: "price" });
  });
});
