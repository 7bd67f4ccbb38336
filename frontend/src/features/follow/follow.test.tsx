import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const TOKEN = "a".repeat(43);

it.each([
  ["", "Mail me new deals", "button"],
  ["&sent=1", "a mail asks you to confirm", "status"],
  ["&sent=own", "You get these mails from now on.", "status"],
  ["&problem=address", "Please enter a valid email address.", "alert"],
  ["&problem=many", "Too many people asked just now.", "alert"],
])("/follow says how the form went: %s", async (outcome, words, role) => {
  fakeServer(() => ({ body: {} }));
  renderApp(`/follow?category=Books${outcome}`);
  expect(await screen.findByRole("heading", { name: "Follow Books" })).toBeVisible();
  const said = await screen.findByText(words, { exact: false });
  expect(said.closest(`[role=${role}], ${role}`)).not.toBeNull();
  const field = screen.queryByLabelText("Email address");
  if (outcome.startsWith("&sent")) {
    expect(field).toBeNull();
  } else {
    expect(field?.closest("form")).toHaveAttribute("action", "/follow?category=Books");
    expect(field?.getAttribute("aria-describedby")).toBe(role === "alert" ? "problem" : null);
  }
});

it("/follow offers the shop's own channels first, and says what a feed is", async () => {
  fakeServer(() => ({ body: {} }));
  renderApp("/follow", { telegram: "https://t.me/loot" });
  expect(await screen.findByRole("heading", { name: "Follow all deals" })).toBeVisible();
  const headings = screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
  expect(headings.slice(0, 4)).toEqual(["In your messenger", "By mail", "One deal", "Follow by feed"]);
  expect(screen.getByText(/for an app that reads feeds, such as /)).toBeVisible();
  expect(screen.getByRole("link", { name: "Address of the feed" })).toHaveAttribute("href", "/feed.xml");
});

it("lists and alerts have forms for what they can become", async () => {
  const lists = [
    { id: 1, heading: "Books", path: "/?category=Books", weekly: false, confirmed: true },
    { id: 2, heading: "All deals", path: "/", weekly: true, confirmed: false },
  ];
  const alerts = [{ id: 3, title: "Lamp", path: "/details/lamp", target: 900, confirmed: true }];
  fakeServer(({ pathname }) => ({ body: pathname.endsWith(TOKEN) ? { lists, alerts } : {} }));
  renderApp(`/subscriptions/${TOKEN}`);
  const action = (name: string) => {
    const button = screen.getByRole<HTMLButtonElement>("button", { name });
    const list = button.form?.elements.namedItem("list");
    return [button.name, button.value, list instanceof HTMLInputElement ? list.value : null];
  };
  expect(await screen.findByText("Every Monday · not confirmed")).toBeVisible();
  expect(screen.getByText("at ₹900 or less")).toBeVisible();
  expect(action("Yes, send them")).toEqual(["do", "confirm", null]);
  expect(action("Make it weekly")).toEqual(["do", "weekly", "1"]);
  expect(action("Make it daily")).toEqual(["do", "daily", "2"]);
  expect(action("Remove: Books")).toEqual(["do", "end", "1"]);
  expect(action("Remove: Lamp")).toEqual(["do", "end-alert", "3"]);
  expect(action("Stop all mails")).toEqual(["do", "leave", null]);
});

it("an address without mails is led to the deals", async () => {
  fakeServer(() => ({ body: { lists: [], alerts: [] } }));
  renderApp(`/subscriptions/${TOKEN}`);
  expect(await screen.findByText(/^This address gets no mails\./)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Stop all mails" })).toBeNull();
});
