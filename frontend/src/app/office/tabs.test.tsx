import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";
import { PLACES } from "./places";

it("leads to every screen of the office from the bar at the bottom", async () => {
  localStorage.setItem("token", "a-token");
  fakeServer((url) =>
    url.pathname.startsWith("/user/me/")
      ? { body: { user: aUser({ Role: "admin" }) } }
      : { body: { data: [] } },
  );
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
