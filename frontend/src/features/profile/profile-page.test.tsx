import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { OpenSession } from "../../api/types";
import { aPage, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

function aSession(changes: Partial<OpenSession>): OpenSession {
  return {
    id: "s1",
    current: true,
    device: "Firefox on Linux",
    address: "127.0.0.1",
    createdAt: "2026-11-01T10:00:00.000Z",
    lastSeenAt: "2026-11-02T10:00:00.000Z",
    ...changes,
  };
}

function openProfile(deletion: { status?: number; body: object }) {
  localStorage.setItem("token", "a-token");
  const sent: { path: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (init.method === "DELETE") {
      sent.push({ path: url.pathname, body: init.body && JSON.parse(String(init.body)) });
      return url.pathname === "/user/me" ? deletion : { body: { message: "" } };
    }
    if (url.pathname === "/user/sessions") {
      return { body: { data: [aSession({}), aSession({ id: "s2", current: false, device: "curl" })] } };
    }
    return { body: url.pathname.startsWith("/user/me") ? { user: aUser() } : aPage([]) };
  });
  return { ...renderApp("/profile"), sent };
}

it("ends another session and has no button for this one", async () => {
  const { user, sent } = openProfile({ body: {} });
  await screen.findByText("Firefox on Linux");
  expect(screen.queryByRole("button", { name: /^End Firefox/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: /^End curl/ }));
  await waitFor(() => expect(sent).toEqual([{ path: "/user/sessions/s2", body: undefined }]));
});

it("deletes the account after the password", async () => {
  const { user, sent, location } = openProfile({ body: { message: "" } });
  await user.click(await screen.findByRole("button", { name: "Delete my account" }));
  await user.type(screen.getByLabelText("Your password"), "tiger-lamp-42");
  await user.click(screen.getByRole("button", { name: "Delete for good" }));
  await vi.waitFor(() => expect(location().pathname).toBe("/"));
  expect(sent).toEqual([{ path: "/user/me", body: { password: "tiger-lamp-42" } }]);
  await waitFor(() => expect(localStorage.getItem("token")).toBeNull());
});

it("keeps the session when the password is wrong", async () => {
  const { user } = openProfile({
    status: 401,
    body: { error: "Invalid credentials", code: "wrong_credentials" },
  });
  await user.click(await screen.findByRole("button", { name: "Delete my account" }));
  await user.type(screen.getByLabelText("Your password"), "wrong-password");
  await user.click(screen.getByRole("button", { name: "Delete for good" }));
  expect(await screen.findByText("This is not your password.")).toBeVisible();
  expect(localStorage.getItem("token")).toBe("a-token");
});
