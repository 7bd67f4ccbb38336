import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const INVITATION = {
  email: "asha@example.com",
  username: "Asha",
  Role: "editor",
  expiresAt: "2099-11-01T10:00:00.000Z",
};

it("sends nothing without a secret", async () => {
  const server = fakeServer(() => ({ body: {} }));
  renderApp("/invite");
  expect(await screen.findByText("This page needs an invitation.")).toBeVisible();
  expect(server.requests.some(({ url }) => url.pathname === "/user/invitation")).toBe(false);
});

it("shows why an invitation is refused", async () => {
  fakeServer(() => ({ status: 404, body: { error: "This invitation is not valid." } }));
  renderApp("/invite#wrong");
  expect(await screen.findByText("This invitation is not valid.")).toBeVisible();
  expect(screen.queryByLabelText("Password")).not.toBeInTheDocument();
});

it("makes the account, signs in and opens the office, without the secret", async () => {
  const user = aUser({ Role: "editor" });
  const server = fakeServer(({ pathname }) => {
    if (pathname === "/user/accept-invitation") {
      return { body: { token: "token", user } };
    }
    if (pathname.startsWith("/user/")) {
      return { body: pathname === "/user/invitation" ? INVITATION : { user } };
    }
    return { status: 503, body: { error: "Not now." } };
  });
  const app = renderApp("/invite#secret");
  expect(await screen.findByLabelText("Your name")).toHaveValue("Asha");
  expect(screen.getByText(/add and change deals, as an editor/)).toBeVisible();
  await app.user.type(screen.getByLabelText("Password"), "tiger-lamp-42");
  await app.user.click(screen.getByRole("button", { name: "Make my account" }));
  await vi.waitFor(() => expect(app.location().pathname).toBe("/admin"));
  const sent = server.requests.find(({ url }) => url.pathname === "/user/accept-invitation");
  expect(JSON.parse(String(sent?.init.body))).toEqual({
    secret: "secret",
    username: "Asha",
    password: "tiger-lamp-42",
  });
  localStorage.clear();
});
