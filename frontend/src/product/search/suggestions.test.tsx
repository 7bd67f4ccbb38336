import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPage, aProduct, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const FOUND = [aProduct({ _id: "a", title: "Elegant kettle" }), aProduct({ _id: "b", title: "Elephant" })];

it("offers the lists that a text names and the deals that it finds, to be chosen by keys", async () => {
  const { requests } = fakeServer((url) => ({ body: aPage(url.searchParams.has("search") ? FOUND : []) }));
  const { user, location } = renderApp("/?minDiscount=5");
  const field = await screen.findByRole("searchbox");
  await user.type(field, "ele");
  const list = await screen.findByRole("listbox", { name: "Suggestions" });
  await within(list).findByText("Elephant");
  const options = within(list).getAllByRole("option");
  expect(options.map((option) => option.getAttribute("href"))).toEqual([
    "/category/electronics",
    "/details/a",
    "/details/b",
  ]);
  expect(screen.getByText("3 suggestions")).toHaveAttribute("role", "status");
  const asked = requests.filter(({ url }) => url.searchParams.get("search"));
  expect(new Set(asked.map(({ url }) => url.searchParams.get("search")))).toEqual(new Set(["ele"]));
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(options[1]).toHaveAttribute("aria-selected", "true");
  expect(field).toHaveAttribute("aria-activedescendant", options[1]?.id);
  expect(field).toHaveFocus();
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(field).not.toHaveAttribute("aria-activedescendant");
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect(location().pathname).toBe("/details/a");
  expect(screen.queryByRole("listbox")).not.toBeInTheDocument();
  expect(field).toHaveValue("");
});

it("goes with Escape, and Enter searches for the text", async () => {
  fakeServer(() => ({ body: aPage(FOUND) }));
  const { user, location } = renderApp("/?minDiscount=5");
  const field = await screen.findByRole("searchbox");
  await user.type(field, "ele");
  await screen.findByRole("listbox");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("listbox")).not.toBeInTheDocument();
  await user.keyboard("p{Enter}");
  expect(location().search).toBe("?search=elep&minDiscount=5");
});
