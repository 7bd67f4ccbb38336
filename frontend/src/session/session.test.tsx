import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aPage, aUser, fakeServer } from "../test/fake-server";
import { renderApp } from "../test/render-app";

const signedIn = (role: "admin" | "user" = "user") =>
  fakeServer((url) =>
    url.pathname.startsWith("/user/me/") ? { body: { user: aUser({ Role: role }) } } : { body: aPage([]) },
  );

describe("the session", () => {
  it("is restored from the stored token", async () => {
    localStorage.setItem("token", "a-token");
    const server = signedIn();
    renderApp();
    expect(await screen.findByRole("button", { name: "Logout" })).toBeVisible();
    expect(screen.getByRole("link", { name: "asha" })).toHaveAttribute("href", "/profile");
    expect(screen.queryByRole("link", { name: "Add Product" })).toBeNull();
    expect(server.requests.some(({ url }) => url.pathname === "/user/me/a-token")).toBe(true);
  });

  it("shows administrators how to add a product", async () => {
    localStorage.setItem("token", "a-token");
    signedIn("admin");
    renderApp();
    expect(await screen.findByRole("link", { name: "Add Product" })).toHaveAttribute("href", "/add-product");
  });

  it("is removed once it has ended, and reported once", async () => {
    localStorage.setItem("token", "old");
    const server = fakeServer((url) =>
      url.pathname.startsWith("/user/me/")
        ? { status: 401, body: { error: "please login to continue" } }
        : { body: aPage([]) },
    );
    renderApp();
    expect(await screen.findByText("Login Failed")).toBeVisible();
    expect(screen.getByText("please login to continue")).toBeVisible();
    expect(localStorage.getItem("token")).toBeNull();
    expect(screen.getByRole("link", { name: "Login" })).toBeVisible();
    expect(server.requests.filter(({ url }) => url.pathname.startsWith("/user/me/"))).toHaveLength(1);
  });

  it("stays while the network is down", async () => {
    localStorage.setItem("token", "a-token");
    const server = fakeServer(() => "network down");
    const { refresh } = renderApp();
    await screen.findByText("Failed to load products");
    expect(localStorage.getItem("token")).toBe("a-token");
    expect(screen.queryByText("Login Failed")).toBeNull();
    server.answer((url) =>
      url.pathname.startsWith("/user/me/") ? { body: { user: aUser() } } : { body: aPage([]) },
    );
    await act(() => refresh());
    expect(await screen.findByRole("link", { name: "asha" })).toBeVisible();
  });

  it("ends in every tab when one signs out", async () => {
    localStorage.setItem("token", "a-token");
    signedIn();
    renderApp();
    await screen.findByRole("link", { name: "asha" });
    localStorage.removeItem("token");
    act(() => void window.dispatchEvent(new StorageEvent("storage", { key: "token" })));
    expect(await screen.findByRole("link", { name: "Login" })).toBeVisible();
  });

  it("ends by Logout, also when the server can't be reached", async () => {
    for (const answer of [{ body: { message: "" } }, "network down"] as const) {
      localStorage.setItem("token", "a-token");
      const server = signedIn();
      const { user, unmount } = renderApp();
      const button = await screen.findByRole("button", { name: "Logout" });
      server.answer((url) => (url.pathname === "/user/logout" ? answer : { body: aPage([]) }));
      await user.click(button);
      expect(await screen.findByRole("link", { name: "Login" })).toBeVisible();
      expect(localStorage.getItem("token")).toBeNull();
      const said =
        answer === "network down" ? "failed to logout please try again later" : "You are signed out";
      expect(await screen.findByText(said)).toBeVisible();
      unmount();
    }
  });

  it("that could not be ended at the server is ended as soon as it can be", async () => {
    localStorage.setItem("token", "a-token");
    const server = signedIn();
    const { user, unmount } = renderApp("/profile");
    await screen.findByRole("heading", { name: "Profile" });
    server.answer((url) => (url.pathname === "/user/logout" ? "network down" : { body: aPage([]) }));
    await user.click(within(screen.getByRole("main")).getByRole("button", { name: "Logout" }));
    expect(await screen.findByRole("heading", { name: "Opening soon" })).toBeVisible();
    await waitFor(() => expect(localStorage.getItem("token")).toBeNull());
    unmount();
    server.answer(() => ({ body: aPage([]) }));
    const before = server.requests.length;
    renderApp();
    await waitFor(() =>
      expect(server.requests.slice(before).some(({ url }) => url.pathname === "/user/logout")).toBe(true),
    );
    await waitFor(() => expect(localStorage.getItem("sign-out-pending")).toBeNull());
  });

  it("stays when signing out everywhere fails, so that it can be tried again", async () => {
    localStorage.setItem("token", "a-token");
    const server = signedIn();
    const { user } = renderApp("/profile");
    await screen.findByRole("heading", { name: "Profile" });
    server.answer(() => "network down");
    await user.click(screen.getByRole("button", { name: "Logout everywhere" }));
    expect(await screen.findByText("failed to logout please try again later")).toBeVisible();
    expect(localStorage.getItem("token")).toBe("a-token");
    expect(screen.getByRole("button", { name: "Logout everywhere" })).toBeVisible();
  });

  it("is asked for by the profile, which is shown afterwards", async () => {
    const server = fakeServer((url) =>
      url.pathname === "/user/sign-in" ? { body: { token: "new", user: aUser() } } : { body: aPage([]) },
    );
    const { user, location } = renderApp("/profile");
    await screen.findByRole("heading", { name: "Login" });
    server.answer((url) => {
      if (url.pathname === "/user/sign-in") {
        return { body: { token: "new", user: aUser() } };
      }
      return url.pathname === "/user/me/new" ? { body: { user: aUser() } } : { body: aPage([]) };
    });
    await user.type(screen.getByLabelText("Email"), "asha@example.com");
    await user.type(screen.getByLabelText("Password"), "tiger-lamp-42{Enter}");
    expect(await screen.findByRole("heading", { name: "Profile" })).toBeVisible();
    await waitFor(() => expect(location().pathname).toBe("/profile"));
    expect(screen.getByText("asha@example.com")).toBeVisible();
    expect(localStorage.getItem("token")).toBe("new");
  });
});
