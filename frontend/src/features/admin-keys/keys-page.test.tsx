import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Key, Keys } from "../../api/types";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const NIGHTLY: Key = {
  id: "k1",
  name: "nightly",
  prefix: "Ab3x",
  scopes: ["import"],
  owner: "owner",
  createdAt: "2026-11-01T10:00:00.000Z",
  expiresAt: "2099-11-01T10:00:00.000Z",
  lastUsedAt: null,
};

function openKeys(role: "admin" | "editor", keys: Key[]) {
  localStorage.setItem("token", "a-token");
  const sent: { method: string; path: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: role }) } };
    }
    if (url.pathname.startsWith("/keys") && init.method !== "GET") {
      const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
      sent.push({ method: String(init.method), path: url.pathname, body });
      return { status: 201, body: { secret: "deals_live_secret", key: NIGHTLY } };
    }
    return { body: { data: keys } satisfies Keys };
  });
  return { ...renderApp("/admin/keys"), sent };
}

it("makes a key and shows it once", async () => {
  const { user, sent } = openKeys("admin", []);
  await user.click(await screen.findByRole("button", { name: "Make key" }));
  expect(await screen.findByText("Give the key a name of 1 to 50 characters.")).toBeVisible();
  expect(screen.getByText("Choose what the key may do.")).toBeVisible();
  await user.type(screen.getByLabelText("Name"), "nightly");
  await user.click(screen.getByLabelText(/^Import files/));
  await user.click(screen.getByRole("button", { name: "Make key" }));
  expect(await screen.findByText("deals_live_secret")).toBeVisible();
  expect(sent).toEqual([
    { method: "POST", path: "/keys", body: { name: "nightly", scopes: ["import"], days: 365 } },
  ]);
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByText("deals_live_secret")).toBeNull();
});

it("revokes a key after a question", async () => {
  const { user, sent } = openKeys("admin", [NIGHTLY]);
  await user.click(await screen.findByRole("button", { name: "Revoke nightly" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(sent).toEqual([{ method: "DELETE", path: "/keys/k1", body: undefined }]));
});

it("asks for a code before a key is revoked, if the server wants one", async () => {
  localStorage.setItem("token", "a-token");
  const sent: string[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (init.method === "GET") {
      return { body: { data: [NIGHTLY] } satisfies Keys };
    }
    sent.push(`${init.method} ${url.pathname}`);
    const needed = {
      status: 403,
      body: { error: "Enter the code from your app to continue.", code: "code_needed" },
    };
    return sent.length === 1 ? needed : { body: { message: "" } };
  });
  const { user } = renderApp("/admin/keys");
  await user.click(await screen.findByRole("button", { name: "Revoke nightly" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke" }));
  const dialog = await screen.findByRole("dialog", { name: "Enter the code from your app" });
  await user.type(within(dialog).getByLabelText("6-digit code"), "123456");
  expect(await screen.findByText("“nightly” is revoked")).toBeVisible();
  expect(sent).toEqual(["DELETE /keys/k1", "POST /user/confirm", "DELETE /keys/k1"]);
});

it("is for administrators; an editor has the rest of the office", async () => {
  openKeys("editor", []);
  expect(await screen.findByText("Only an administrator may do this.")).toBeVisible();
  expect(screen.getAllByRole("link", { name: "Products" })).not.toHaveLength(0);
  expect(screen.queryByRole("link", { name: "API keys" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Settings" })).toBeNull();
});
