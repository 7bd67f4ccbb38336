import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Source, Sources } from "../../api/types";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const RULES = {
  preset: "open",
  showPrice: true,
  priceMaxAge: null,
  showRatings: true,
  ratingsInSearch: false,
  copyImages: true,
  keepImages: false,
  history: true,
  alerts: true,
  checkLinks: true,
  disclosure: "",
} as const;

function aSource(source: string, parts: Partial<Source> = {}): Source {
  return {
    source,
    products: 5,
    rules: RULES,
    tag: "",
    offers: 0,
    chosen: false,
    forbidden: [],
    advice: null,
    ...parts,
  };
}

function openSellers(data: Source[]) {
  localStorage.setItem("token", "a-token");
  const sent: { address: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (init.method === "PUT") {
      sent.push({ address: url.pathname, body: JSON.parse(String(init.body)) });
      return { body: { source: "Amazon", products: 5 } };
    }
    return url.pathname === "/product/facets"
      ? { body: { all: 4, categories: [], sources: [{ name: "Amazon", products: 4 }] } }
      : { body: { data, shops: [], version: 1 } satisfies Sources };
  });
  return { ...renderApp("/admin/sources"), sent };
}

it("lists all sellers in one table, with tag, rules and offers as columns", async () => {
  openSellers([aSource("Amazon"), aSource("Flipkart")]);
  const table = await screen.findByRole("table");
  expect(
    within(table)
      .getAllByRole("columnheader")
      .map((head) => head.textContent),
  ).toEqual(["Seller", "Deals", "Your affiliate tag", "What is shown", "Offers"]);
  for (const name of ["Amazon", "Flipkart"]) {
    expect(within(table).getByRole("button", { name: `Name of ${name}: ${name}` })).toBeVisible();
  }
});

it("gives a seller another name", async () => {
  const { user, sent } = openSellers([aSource("Amazon")]);
  await user.click(await screen.findByRole("button", { name: "Name of Amazon: Amazon" }));
  const name = screen.getByLabelText("Name of Amazon");
  await user.clear(name);
  await user.type(name, "Amazon India{Enter}");
  expect(await screen.findByText("5 deals are of Amazon India now")).toBeVisible();
  expect(sent).toEqual([{ address: "/source/Amazon/name", body: { name: "Amazon India" } }]);
});

it("asks before it joins two sellers", async () => {
  const { user, sent } = openSellers([aSource("Amazon"), aSource("amazon.in")]);
  await user.click(await screen.findByRole("button", { name: "Name of amazon.in: amazon.in" }));
  const name = screen.getByLabelText("Name of amazon.in");
  await user.clear(name);
  await user.type(name, "Amazon{Enter}");
  const dialog = within(await screen.findByRole("dialog", { name: "Merge amazon.in into Amazon?" }));
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Merge them" }));
  expect(await screen.findByText("5 deals are of Amazon now")).toBeVisible();
  expect(sent).toEqual([{ address: "/source/amazon.in/name", body: { name: "Amazon" } }]);
});

it("says how many deals are live, marks a missing tag, and what a programme's rules do", async () => {
  openSellers([aSource("Amazon", { advice: "amazon-india", limits: "Amazon allows no stars." })]);
  expect(await screen.findByRole("link", { name: "4 deals" })).toBeVisible();
  expect(screen.getByText("and 1 scheduled, drafts or ended")).toBeVisible();
  expect(screen.getByRole("button", { name: "Tag of Amazon: No tag" })).toHaveClass("text-danger");
  expect(screen.getByText(/a price is hidden until you check it again/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Follow Amazon’s rules" })).toBeEnabled();
});
