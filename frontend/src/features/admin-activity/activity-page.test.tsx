import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPage, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

it.each([
  ["command line", "The command line"],
  ["the server", "The server"],
  ["Asha", "Asha"],
])("begins the sentence about a change by %s with a capital", async (actor, shown) => {
  localStorage.setItem("token", "a-token");
  const change = {
    actor,
    action: "set",
    at: "2026-11-25T03:36:00Z",
    details: { "person.Asha": { from: "user", to: "admin" } },
    product: null,
    title: null,
    lines: 1,
    batch: 1,
    gone: false,
    undo: false,
  };
  fakeServer(({ pathname }) =>
    pathname.startsWith("/user/me/")
      ? { body: { user: aUser({ Role: "admin" }) } }
      : { body: { ...aPage([]), data: [change] } },
  );
  renderApp("/admin/activity");
  const name = await screen.findByText(shown);
  expect(name.closest("p")).toHaveTextContent(`${shown} changed people`);
});
