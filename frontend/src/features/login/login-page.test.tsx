import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { plainHttp } from "../../lib/constants.json";
import { aPage, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

async function fill(user: ReturnType<typeof renderApp>["user"], password = "tiger-lamp-42") {
  await user.type(await screen.findByLabelText("Email"), " asha@example.com ");
  await user.type(screen.getByLabelText("Password"), password);
}

describe("the login form", () => {
  it("signs in, stores the token and leads to the list", async () => {
    const server = fakeServer((url) => {
      if (url.pathname === "/user/sign-in") {
        return { body: { token: "new", user: aUser() } };
      }
      return url.pathname === "/user/me/new" ? { body: { user: aUser() } } : { body: aPage([]) };
    });
    const { user, location } = renderApp("/login");
    await fill(user);
    await user.click(screen.getByRole("button", { name: "Login" }));
    expect(await screen.findByRole("link", { name: "asha" })).toBeVisible();
    expect(location().pathname).toBe("/");
    const sent = server.requests.find(({ url }) => url.pathname === "/user/sign-in");
    expect(JSON.parse(String(sent?.init.body))).toEqual({
      email: "asha@example.com",
      password: "tiger-lamp-42",
    });
    expect(sent?.init.credentials).toBe("include");
  });

  it("shows errors beside the fields and focuses the first", async () => {
    const server = fakeServer(() => ({ body: aPage([]) }));
    const { user } = renderApp("/login");
    await user.click(await screen.findByRole("button", { name: "Login" }));
    expect(await screen.findByText("Please enter a valid email address.")).toBeVisible();
    expect(screen.getByText("Password must be at least 8 characters long.")).toBeVisible();
    const email = screen.getByLabelText("Email");
    expect(email).toHaveFocus();
    expect(email).toHaveAccessibleDescription("Please enter a valid email address.");
    expect(server.requests.some(({ url }) => url.pathname === "/user/sign-in")).toBe(false);
  });

  it("shows that it is pending and can't be sent twice", async () => {
    let release: (answer: Response) => void = () => undefined;
    fakeServer(() => ({ body: aPage([]) }));
    const { user } = renderApp("/login");
    await fill(user);
    const fetched = globalThis.fetch;
    globalThis.fetch = (input, init) =>
      String(input) === "/user/sign-in"
        ? new Promise((resolve) => {
            release = resolve;
          })
        : fetched(input, init);
    await user.click(screen.getByRole("button", { name: "Login" }));
    expect(await screen.findByRole("button", { name: "Logging in..." })).toBeDisabled();
    release(new Response(JSON.stringify({ error: "Invalid credentials" }), { status: 401 }));
    expect(await screen.findByRole("button", { name: "Login" })).toBeEnabled();
    expect(await screen.findByText("Login Failed")).toBeVisible();
    expect(screen.getAllByText("Invalid credentials")).not.toHaveLength(0);
    expect(screen.getByLabelText("Password")).toHaveValue("tiger-lamp-42");
  });

  it("leads an account that is not verified to its code", async () => {
    fakeServer(() => ({
      status: 403,
      body: { error: "Please verify your email first.", code: "not_verified" },
    }));
    const { user, location } = renderApp("/login");
    await fill(user);
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Enter the 6-digit code sent to your phone")).toBeVisible();
    expect(location().pathname).toBe("/verify-otp/asha%40example.com");
  });

  it("masks the password until its owner wants to see it", async () => {
    fakeServer(() => ({ body: aPage([]) }));
    const { user } = renderApp("/login");
    const password = await screen.findByLabelText("Password");
    expect(password).toHaveAttribute("type", "password");
    await user.click(screen.getByRole("button", { name: "Show password" }));
    expect(password).toHaveAttribute("type", "text");
    await user.click(password);
    await user.paste("pasted-password");
    expect(password).toHaveValue("pasted-password");
  });

  it("says over plain http that nobody can sign in, and how to", async () => {
    fakeServer(() => ({ body: aPage([]) }));
    const { unmount } = renderApp("/login");
    await screen.findByLabelText("Email");
    expect(screen.queryByText(plainHttp)).toBeNull();
    unmount();
    vi.stubGlobal("isSecureContext", false);
    renderApp("/login");
    expect(await screen.findByText(plainHttp)).toBeVisible();
    for (const word of ["https", "SSH tunnel", "--allow-http-sign-in"]) {
      expect(plainHttp).toContain(word);
    }
  });

  it("links to registering and to a new password", async () => {
    fakeServer(() => ({ body: aPage([]) }));
    renderApp("/login");
    expect(await screen.findByRole("link", { name: "Register" })).toHaveAttribute("href", "/register");
    expect(screen.getByRole("link", { name: "Forgot your password?" })).toHaveAttribute(
      "href",
      "/forgot-password",
    );
  });
});
