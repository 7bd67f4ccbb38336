import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { User } from "../../api/types";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";
import { IN_RAIL, PLACES } from "./places";

function signedIn(Role: User["Role"]) {
  localStorage.setItem("token", "a-token");
  fakeServer((url) =>
    url.pathname.startsWith("/user/me/") ? { body: { user: aUser({ Role }) } } : { body: { data: [] } },
  );
}

/** Opens “More” of the rail, or of the bar at the bottom. */
async function openMore(user: UserEvent, where: "rail" | "bar") {
  const buttons = await screen.findAllByRole("button", { name: "More" });
  const button = buttons.find((it) => (it.closest(".rail") !== null) === (where === "rail")) as HTMLElement;
  await user.click(button);
  return { button, sheet: within(screen.getByRole("dialog", { name: "More" })) };
}

it("leads to every screen of the office from the bar at the bottom", async () => {
  signedIn("admin");
  const { user } = renderApp("/admin/keys");
  const { button, sheet } = await openMore(user, "bar");
  expect(button).toHaveAttribute("aria-current", "page");
  const bar = within(button.closest("nav") as HTMLElement);
  for (const { to, name } of Object.values(PLACES)) {
    const link =
      bar.queryByRole("link", { name: startsWith(name) }) ??
      sheet.getByRole("link", { name: startsWith(name) });
    expect(link).toHaveAttribute("href", to);
  }
});

function startsWith(name: string): RegExp {
  return new RegExp(`^${name}`);
}

function hrefsIn(list: HTMLElement): (string | null)[] {
  return within(list)
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));
}

it("has eight entries in the rail, the screen that is open, and the rest below More", async () => {
  signedIn("admin");
  const { user } = renderApp("/admin/keys");
  const rail = await screen.findByRole("list", { name: "Office" });
  expect(hrefsIn(rail)).toEqual([...IN_RAIL.map(({ to }) => to), "/admin/keys"]);
  expect(IN_RAIL).toHaveLength(8);
  const { sheet } = await openMore(user, "rail");
  const below = [
    ...hrefsIn(sheet.getByRole("list", { name: "Shop" })),
    ...hrefsIn(sheet.getByRole("list", { name: "Advanced" })),
  ];
  expect(new Set([...IN_RAIL.map(({ to }) => to), ...below])).toEqual(
    new Set(Object.values(PLACES).map(({ to }) => to)),
  );
});

it("hides screens that an editor may not open", async () => {
  signedIn("editor");
  const { user } = renderApp("/admin");
  const rail = await screen.findByRole("list", { name: "Office" });
  expect(hrefsIn(rail)).toEqual(["/admin", "/admin/products", "/admin/queue", "/admin/reports"]);
  const { sheet } = await openMore(user, "rail");
  expect(sheet.queryByRole("list", { name: "Advanced" })).toBeNull();
  expect(hrefsIn(sheet.getByRole("list", { name: "Shop" }))).toEqual([
    "/admin/capture",
    "/admin/files",
    "/admin/activity",
  ]);
});

it.each([
  ["commission", "Sellers"],
  ["affiliate tag", "Sellers"],
  ["coupon", "Sellers"],
  ["smtp", "Settings: Mail"],
  ["gmail", "Settings: Mail"],
  ["telegram", "Posts: Channels"],
  ["outbox", "Posts: Sent"],
  ["queue", "Posts"],
  ["whatsapp", "Settings: Name and contact"],
  ["privacy", "Settings: Pages"],
  ["backup", "Settings: Backups"],
  ["password", "Profile"],
  ["banner", "Home page"],
  ["excel", "Import and export"],
  ["logo", "Settings: Logo and colour"],
])("finds by “%s” the screen %s, above products", async (word, name) => {
  signedIn("admin");
  const { user } = renderApp("/admin/keys");
  await screen.findByRole("list", { name: "Office" });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: "Find a product or a screen" }), word);
  expect(await screen.findByRole("option", { name: new RegExp(`^${name}`) })).toBeVisible();
});
