import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPage, aProduct, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

const MANY = { total: 47, totalPages: 5 };

it("says that a misspelt search lists what its suggestion finds, with the way back", async () => {
  const server = fakeServer((url) =>
    url.searchParams.get("exact") === "false"
      ? { body: aPage([aProduct()], { ...MANY, suggestion: "cable", wordsRead: "cable" }) }
      : { body: aPage([], { total: 0, totalPages: 1, suggestion: "cable" }) },
  );
  const { user, location } = renderApp("/?search=cabel");
  expect(await screen.findByRole("heading", { name: "“cable”" })).toBeVisible();
  expect(screen.getByText(/^Nothing found for “cabel”. These are deals for “cable”./)).toBeVisible();
  expect(screen.getByRole("searchbox")).toHaveValue("cabel");
  expect(screen.getByRole("link", { name: "Remove “cable”" })).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Search only for “cabel”" }));
  expect(location().search).toBe("?search=cabel&exact=true");
  expect(await screen.findByText("No deals match “cabel”.")).toBeVisible();
  const [last] = server.requests.filter(({ url }) => url.pathname === "/product/get-products").slice(-1);
  expect(last?.url.searchParams.has("exact")).toBe(false);
  await user.click(screen.getByRole("link", { name: "cable" }));
  expect(location().search).toBe("?search=cable");
});

it("shows words and price of a search as chips and fills the price fields", async () => {
  fakeServer(() => ({ body: aPage([aProduct()], { ...MANY, wordsRead: "shoes", maxPriceRead: 1_000 }) }));
  const { user, location } = renderApp("/?search=shoes+under+1000&page=2");
  expect(await screen.findByRole("heading", { name: "“shoes”, up to ₹1,000" })).toBeVisible();
  const remove = (filter: string) => screen.getByRole("link", { name: `Remove ${filter}` });
  expect(remove("“shoes”")).toHaveAttribute("href", "/?maxPrice=1000");
  expect(remove("Up to ₹1,000")).toHaveAttribute("href", "/?search=shoes");
  const [highest] = screen.getAllByLabelText("Highest price");
  expect(highest).toHaveValue("1000");
  await user.clear(highest as HTMLElement);
  await user.type(highest as HTMLElement, "2000{Enter}");
  expect(location().search).toBe("?search=shoes&maxPrice=2000");
});

it("names categories and collections where a search finds nothing", async () => {
  fakeServer(() => ({ body: aPage([], { total: 0 }) }));
  renderApp("/?search=cheap+clothes+or+book");
  expect(await screen.findByText("No deals match “cheap clothes or book”.")).toBeVisible();
  const main = within(screen.getByRole("main"));
  expect(main.getByRole("link", { name: "Books" })).toHaveAttribute("href", "/category/books");
});

it("offers searches with fewer words where several find nothing", async () => {
  const shorter = [{ search: "cooker", total: 11 }];
  fakeServer(() => ({ body: aPage([], { total: 0, shorter }) }));
  renderApp("/?search=pressure+cooker&maxPrice=5000");
  expect(await screen.findByRole("link", { name: "“cooker”: 11 deals" })).toHaveAttribute(
    "href",
    "/?search=cooker&maxPrice=5000",
  );
});

it("shows few deals large, with filters to remove and others of their category", async () => {
  const [found, near] = [aProduct({ _id: "a", title: "Silk saree" }), aProduct({ _id: "b", title: "Kurta" })];
  const relaxed = [{ without: "maxPrice", total: 4 }];
  fakeServer((url) =>
    url.searchParams.has("search")
      ? { body: aPage([found], { total: 1, relaxed, wordsRead: "saree", maxPriceRead: 999 }) }
      : { body: aPage([found, near], MANY) },
  );
  const { container } = renderApp("/?search=saree+under+999");
  const nearby = await screen.findByRole("heading", { name: "Electronics, up to ₹999" });
  const section = within(nearby.closest("section") as HTMLElement);
  expect(
    section.getAllByRole("article").map((card) => within(card).getByRole("heading").textContent),
  ).toEqual(["Kurta"]);
  expect(container.querySelectorAll(".few article")).toHaveLength(1);
  expect(screen.getByRole("link", { name: "Without Up to ₹999: 4 deals" })).toHaveAttribute(
    "href",
    "/?search=saree",
  );
  expect(screen.getByRole("link", { name: "Follow this search" })).toHaveAttribute(
    "href",
    "/follow?search=saree&maxPrice=999",
  );
});
