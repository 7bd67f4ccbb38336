import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Webhook } from "../../api/types";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const HOOK: Webhook = {
  id: "w1",
  url: "https://example.com/hook",
  events: ["product.added"],
  on: true,
  offReason: "",
  failingSince: null,
  lastError: "",
  lastErrorAt: null,
  deliveredAt: null,
  waiting: 0,
  dropped: 0,
  createdAt: "2026-11-01T10:00:00.000Z",
};

function openWebhooks(role: "admin" | "editor", hooks: Webhook[]) {
  localStorage.setItem("token", "a-token");
  const sent: { method: string; path: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: role }) } };
    }
    if (url.pathname.startsWith("/webhooks") && init.method !== "GET") {
      const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
      sent.push({ method: String(init.method), path: url.pathname, body });
      return { status: 200, body: { secret: "whsec_once", webhook: HOOK } };
    }
    return { body: { data: hooks } };
  });
  return { ...renderApp("/admin/webhooks"), sent };
}

it("makes a webhook and shows its secret once", async () => {
  const { user, sent } = openWebhooks("admin", []);
  await user.click(await screen.findByRole("button", { name: "Make webhook" }));
  expect(await screen.findByText("Enter the address that receives the events.")).toBeVisible();
  expect(screen.getByText("Choose at least one event.")).toBeVisible();
  await user.type(screen.getByLabelText("Address"), HOOK.url);
  await user.click(screen.getByLabelText(/product\.added/));
  await user.click(screen.getByRole("button", { name: "Make webhook" }));
  expect(await screen.findByText("whsec_once")).toBeVisible();
  const body = { url: HOOK.url, events: ["product.added"] };
  expect(sent).toEqual([{ method: "POST", path: "/webhooks", body }]);
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByText("whsec_once")).toBeNull();
});

it("sends a test, switches off and removes after a question", async () => {
  const { user, sent } = openWebhooks("admin", [HOOK]);
  await user.click(await screen.findByRole("button", { name: "Send test" }));
  await user.click(screen.getByRole("button", { name: "Switch off" }));
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() =>
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /webhooks/w1/test",
      "PUT /webhooks/w1",
      "DELETE /webhooks/w1",
    ]),
  );
  expect(sent[1]?.body).toEqual({ url: HOOK.url, events: HOOK.events, on: false });
});

it("says why it was switched off, what failed last and when something arrived", async () => {
  openWebhooks("admin", [
    {
      ...HOOK,
      on: false,
      offReason: "It is gone (410).",
      lastError: "It answered with status 500.",
      lastErrorAt: "2026-11-01T10:00:00.000Z",
      deliveredAt: "2026-11-01T09:00:00.000Z",
    },
  ]);
  expect(await screen.findByText("Switched off: It is gone (410).")).toBeVisible();
  expect(screen.getByText(/^Last error: .+ It answered with status 500\.$/)).toBeVisible();
  expect(screen.getByText(/^Last delivery: ./)).toBeVisible();
});

it("is for administrators", async () => {
  openWebhooks("editor", []);
  expect(await screen.findByText("Only an administrator may do this.")).toBeVisible();
  expect(screen.queryByRole("link", { name: "Webhooks" })).toBeNull();
});
