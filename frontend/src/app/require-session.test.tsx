import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { aPage, aProduct, aUser, fakeServer } from "../test/fake-server";
import { renderApp } from "../test/render-app";

beforeEach(() => localStorage.setItem("token", "a-token"));

it.each([
  ["/admin/products", "Products"],
  ["/admin/webhooks", "Webhooks"],
  ["/update-product/p1", "Office"],
  ["/profile", "Profile"],
])("has one landmark and a heading at %s until the server says who is signed in", async (path, title) => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  renderApp(path);
  expect(await screen.findByRole("heading", { level: 1, name: title })).toBeVisible();
  expect(screen.getAllByRole("main")).toHaveLength(1);
  expect(screen.getByRole("main")).toHaveTextContent("Loading...");
});

it("asks to sign in again when the office may read nothing, and shows it then", async () => {
  // The browser has lost the session's cookie, but not the token.
  const server = fakeServer(({ pathname }) =>
    pathname === "/user/me/a-token"
      ? { body: { user: aUser({ Role: "admin" }) } }
      : { status: 401, body: { error: "please login to continue" } },
  );
  const { user } = renderApp("/admin/people");
  const dialog = await screen.findByRole("dialog", { name: "Sign in again" });
  expect(screen.queryByText("The people could not be loaded")).toBeNull();
  server.answer(({ pathname }) => {
    if (pathname.startsWith("/user/")) {
      return { body: { token: "new", user: aUser({ Role: "admin" }) } };
    }
    return { body: aPage([]) };
  });
  await user.type(within(dialog).getByLabelText("Password"), "tiger-lamp-42{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(localStorage.getItem("token")).toBe("new");
  expect(await screen.findByRole("button", { name: "Invite" })).toBeVisible();
});

it.each([
  ["/profile", "Logout everywhere"],
  ["/admin/people", "Invite"],
])("says at %s that the shop does not answer, and asks again by Retry", async (path, button) => {
  const server = fakeServer(() => "network down");
  const { user } = renderApp(path);
  const retry = await screen.findByRole("button", { name: "Retry" });
  expect(screen.getByText("This screen could not be loaded")).toBeVisible();
  expect(screen.getByText("The shop does not answer. Check your connection.")).toBeVisible();
  expect(screen.queryByText("Loading...")).toBeNull();
  server.answer(({ pathname }) =>
    pathname.startsWith("/user/me/") ? { body: { user: aUser({ Role: "admin" }) } } : { body: aPage([]) },
  );
  await user.click(retry);
  expect(await screen.findByRole("button", { name: button })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
});

it("asks to sign in again when a cleaner has emptied the browser, and ends a save that is given up", async () => {
  fakeServer(({ pathname }) => {
    if (pathname.startsWith("/user/me")) {
      return localStorage.getItem("token") === null
        ? { status: 401, body: { error: "please login to continue" } }
        : { body: { user: aUser({ Role: "admin" }) } };
    }
    return pathname.startsWith("/product/update-product/")
      ? { status: 401, body: { error: "please login to continue" } }
      : { body: pathname.startsWith("/product/product/") ? { product: aProduct() } : aPage([aProduct()]) };
  });
  const { user } = renderApp("/update-product/p1");
  await user.type(await screen.findByLabelText("Title"), "!");
  localStorage.clear();
  await user.click(screen.getByRole("button", { name: "Update product" }));
  const dialog = await screen.findByRole("dialog", { name: "Sign in again" });
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByText("Updating...")).toBeNull());
});
