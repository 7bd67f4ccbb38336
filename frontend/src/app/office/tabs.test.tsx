import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { User } from "../../api/types";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";
import { PLACES } from "./places";

function signedIn(Role: User["Role"]) {
  localStorage.setItem("token", "a-token");
  fakeServer((url) =>
    url.pathname.startsWith("/user/me/") ? { body: { user: aUser({ Role }) } } : { body: { data: [] } },
  );
}

it("leads to every screen of the office from the bar at the bottom", async () => {
  signedIn("admin");
  const { user } = renderApp("/admin/keys");
  const more = await screen.findByRole("button", { name: "More" });
  const bar = more.closest("nav") as HTMLElement;
  expect(more).toHaveAttribute("aria-current", "page");
  await user.click(more);
  const sheet = within(screen.getByRole("dialog", { name: "More" }));
  for (const { to, name } of Object.values(PLACES)) {
    const link = within(bar).queryByRole("link", { name }) ?? sheet.getByRole("link", { name });
    expect(link).toHaveAttribute("href", to);
  }
});

function namesIn(list: HTMLElement): string[] {
  return within(list)
    .getAllByRole("link")
    .map(({ textContent }) => textContent);
}

it("separates daily work from running the shop, in the rail and in the sheet", async () => {
  signedIn("admin");
  const { user } = renderApp("/admin/keys");
  const daily = await screen.findByRole("list", { name: "Daily work" });
  const running = screen.getByRole("list", { name: "Running the shop" });
  expect(namesIn(daily).map((name) => name.replace(/\d/g, ""))).toEqual([
    "Today",
    "Products",
    "Capture",
    "Sellers",
    "Categories",
    "Front page",
    "Collections",
    "Queue",
    "Channels",
    "Reports",
    "Import and export",
  ]);
  expect(namesIn(running)).toEqual(["People", "API keys", "Webhooks", "Outgoing", "Activity", "Settings"]);
  await user.click(screen.getByRole("button", { name: "More" }));
  const sheet = within(screen.getByRole("dialog", { name: "More" }));
  expect(namesIn(sheet.getByRole("list", { name: "Daily work" }))).toEqual([
    "Capture",
    "Sellers",
    "Categories",
    "Front page",
    "Collections",
    "Queue",
    "Channels",
    "Import and export",
  ]);
  expect(namesIn(sheet.getByRole("list", { name: "Running the shop" }))).toEqual(namesIn(running));
});

it("hides screens that an editor may not open", async () => {
  signedIn("editor");
  renderApp("/admin/settings");
  expect(namesIn(await screen.findByRole("list", { name: "Running the shop" }))).toEqual(["Activity"]);
});

it("finds a part of the settings by its name", async () => {
  signedIn("admin");
  const { user } = renderApp("/admin/keys");
  await screen.findByRole("button", { name: "More" });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: "Find a product or a screen" }), "backup");
  expect(await screen.findByRole("option", { name: "Settings: Backups" })).toBeVisible();
});
