import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const REFUSED = "This setup link is not valid.";

describe("the first start", () => {
  it("sends nothing without a secret, and says where to get a link", async () => {
    const server = fakeServer(() => ({ body: {} }));
    renderApp("/setup");
    expect(await screen.findByText("This page needs a setup link.")).toBeVisible();
    expect(server.requests.some(({ url }) => url.pathname === "/user/setup-link")).toBe(false);
  });

  it("shows why a link is refused, and no form", async () => {
    fakeServer(() => ({ status: 404, body: { error: REFUSED } }));
    renderApp("/setup#wrong");
    expect(await screen.findByText(REFUSED)).toBeVisible();
    expect(screen.queryByLabelText("Email")).not.toBeInTheDocument();
  });

  it("sends no secret over plain http, and says what to do", async () => {
    vi.stubGlobal("isSecureContext", false);
    const server = fakeServer(() => ({ body: {} }));
    renderApp("/setup#secret");
    expect(await screen.findByText(/through an SSH tunnel/)).toBeVisible();
    expect(server.requests.some(({ init }) => String(init.body).includes("secret"))).toBe(false);
    vi.unstubAllGlobals();
  });

  it("makes the account, signs in and goes on to the steps, without the secret", async () => {
    const server = fakeServer(({ pathname }) =>
      pathname === "/user/setup"
        ? { body: { token: "token", user: aUser({ Role: "admin" }) } }
        : { body: { valid: true, user: aUser({ Role: "admin" }) } },
    );
    const { user, location } = renderApp("/setup#secret");
    await user.type(await screen.findByLabelText("Your name"), "asha");
    await user.type(screen.getByLabelText("Email"), " asha@example.com ");
    await user.type(screen.getByLabelText("Password"), "tiger-lamp-42");
    await user.click(screen.getByRole("button", { name: "Make my account" }));
    await vi.waitFor(() => expect(location().pathname).toBe("/admin/setup"));
    const sent = server.requests.find(({ url }) => url.pathname === "/user/setup");
    expect(JSON.parse(String(sent?.init.body))).toEqual({
      secret: "secret",
      username: "asha",
      email: "asha@example.com",
      password: "tiger-lamp-42",
    });
    expect(localStorage.getItem("token")).toBe("token");
    localStorage.clear();
  });
});
