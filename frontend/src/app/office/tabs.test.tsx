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

it("groups the screens by the kind of work, in the rail and in the sheet", async () => {
  signedIn("admin");
  const { user } = renderApp("/admin/keys");
  const daily = await screen.findByRole("list", { name: "Daily work" });
  expect(namesIn(daily).map((name) => name.replace(/\d/g, ""))).toEqual(["Today", "Products", "Reports"]);
  const running = ["Settings", "People", "Activity", "API keys", "Webhooks"];
  expect(namesIn(screen.getByRole("list", { name: "Running the shop" }))).toEqual(running);
  await user.click(screen.getByRole("button", { name: "More" }));
  const sheet = within(screen.getByRole("dialog", { name: "More" }));
  // Those of the bar are left out.
  expect(sheet.queryByRole("list", { name: "Daily work" })).toBeNull();
  const inList = (name: string) => namesIn(sheet.getByRole("list", { name }));
  expect(inList("Add deals")).toEqual(["Ways to add", "Import and export"]);
  expect(inList("Shop")).toEqual(["Front page", "Categories", "Collections", "Sellers"]);
  expect(inList("Posts")).toEqual(["Queue", "Channels", "Outbox"]);
  expect(inList("Running the shop")).toEqual(running);
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
