import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPage, aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

/** Opens a list of the office without products. */
async function openEmpty(path: string, more: object = {}) {
  localStorage.setItem("token", "a-token");
  fakeServer(({ pathname, searchParams }) => {
    if (pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (searchParams.get("search") === "lamp" && searchParams.get("state") === "draft") {
      return { body: aPage([aProduct()]) };
    }
    return pathname === "/product/states"
      ? { body: { live: 0, scheduled: 0, drafts: 0, ended: 0 } }
      : { body: { ...aPage([]), ...more } };
  });
  const app = renderApp(path);
  await screen.findByRole("heading", { name: "Products" });
  return app;
}

it.each([
  ["no-clicks", 2737, "None is older than 30 days; 2,737 younger ones have no click yet."],
  ["no-clicks", 1, "None is older than 30 days; 1 younger one has no click yet."],
  ["old-price", 2737, "No price is older than 30 days; 2,737 prices were seen since then."],
  ["no-clicks", undefined, "No deals without clicks in the last 30 days."],
  ["old-price", undefined, "No deals with an old price."],
  ["ending", undefined, "No deal ends within a day."],
  ["duplicates", undefined, "No deals with the same title and seller."],
])("says of the empty view %s what is too new for it: %s", async (view, tooNew, words) => {
  await openEmpty(`/admin/products?view=${view}`, tooNew === undefined ? {} : { tooNew });
  await screen.findByText(words);
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.queryByText(/^Page 1/)).toBeNull();
});

it("shows what to do on an empty product list", async () => {
  await openEmpty("/admin/products?state=draft");
  await screen.findByText("No deals here yet");
  expect(screen.getByRole("link", { name: "Import a file" })).toHaveAttribute("href", "/admin/files");
  expect(screen.queryByRole("table")).toBeNull();
});

it("shows all deals again after a search without results", async () => {
  const { user } = await openEmpty("/admin/products?search=kettle&category=Books");
  await screen.findByText("No deals match the search and its filters.");
  await user.click(screen.getByRole("button", { name: "Show all deals" }));
  await screen.findByText("No deals here yet");
});

it("leads to the other states that have what is searched", async () => {
  const { user } = await openEmpty("/admin/products?search=lamp&state=ended&page=1");
  const link = await screen.findByRole("link", { name: "1 in Drafts" });
  expect(screen.queryByRole("link", { name: /in (Live|Scheduled|Ended)$/ })).toBeNull();
  expect(link).toHaveAttribute("href", "/admin/products?search=lamp&state=draft");
  await user.click(link);
  await screen.findByRole("checkbox", { name: /^Select Braided/ });
  expect(screen.getByRole("link", { name: /^Drafts/ })).toHaveAttribute("aria-current", "page");
});
