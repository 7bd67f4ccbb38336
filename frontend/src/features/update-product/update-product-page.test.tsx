import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { storeDraft } from "../../product/form/draft";
import { fromProduct } from "../../schemas/product";
import { aPage, aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

it("fills the form from the full product when opened from a card", async () => {
  localStorage.setItem("token", "a-token");
  const description = "A braided cable. ".repeat(20).trim();
  const product = aProduct({ description });
  const server = fakeServer((url) => {
    if (url.pathname.startsWith("/user/me")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    return { body: url.pathname.startsWith("/product/product/") ? { product } : aPage([product]) };
  });
  const { user } = renderApp();
  await user.click(await screen.findByRole("link", { name: "Update" }));
  expect(await screen.findByLabelText(/^Description/)).toHaveValue(description);
  expect(server.requests.some(({ url }) => url.pathname === "/product/product/p1")).toBe(true);
});

it("shows that no time is set in an empty time field", async () => {
  localStorage.setItem("token", "a-token");
  fakeServer(({ pathname }) =>
    pathname.startsWith("/user/me/")
      ? { body: { user: aUser({ Role: "admin" }) } }
      : { body: pathname.startsWith("/product/product/") ? { product: aProduct() } : aPage([]) },
  );
  const { user } = renderApp("/update-product/p1");
  const field = await screen.findByLabelText("Ends (India)");
  expect(field).toHaveAccessibleDescription("No date: never ends");
  await user.click(screen.getByRole("button", { name: "Tonight 23:59" }));
  expect(field).toHaveAccessibleDescription("Without a date: never ends");
});

const LATER = "2026-03-02T10:20:30.456Z";

/** Opens the form; each save of the first version meets a newer one with `theirs`. */
async function openAgainst(theirs: Parameters<typeof aProduct>[0]) {
  localStorage.setItem("token", "a-token");
  let newest = aProduct();
  const sent: Record<string, unknown>[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname.startsWith("/product/update-product/")) {
      const input = JSON.parse(String(init.body));
      sent.push(input);
      newest = aProduct({ ...theirs, updatedAt: LATER });
      return input.updatedAt === LATER
        ? { body: { product: newest } }
        : { status: 409, body: { error: "Somebody else changed it." } };
    }
    return { body: url.pathname.startsWith("/product/product/") ? { product: newest } : aPage([newest]) };
  });
  const app = renderApp("/update-product/p1");
  const title = await screen.findByLabelText("Title");
  await app.user.clear(title);
  await app.user.type(title, "My title");
  const save = () => app.user.click(screen.getByRole("button", { name: "Update product" }));
  await save();
  return { ...app, save, sent };
}

it("saves beside a colleague's change of a field that was left alone, without a question", async () => {
  const { sent } = await openAgainst({ price: 1799, discount: 0, finalPrice: 1799 });
  expect(await screen.findByText("Product updated successfully")).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ title: "My title", price: 1799, discount: 0, updatedAt: LATER });
});

it("asks only about a field that both changed, and saves once it is chosen", async () => {
  const { user, save, sent } = await openAgainst({ title: "Their title", source: "Flipkart" });
  await screen.findByRole("region", { name: /^Somebody else changed/ });
  expect(screen.getByText("Their title")).toBeVisible();
  expect(screen.getAllByRole("button", { name: /^Keep mine/ })).toHaveLength(1);
  await save();
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ updatedAt: aProduct().updatedAt });
  await user.click(await screen.findByRole("button", { name: "Take theirs: Title" }));
  expect(screen.getByLabelText("Title")).toHaveValue("Their title");
  await user.click(screen.getByRole("button", { name: "Keep mine: Title" }));
  await save();
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[2]).toMatchObject({ title: "My title", source: "Flipkart", updatedAt: LATER });
});

it("repeats a save that an ended session refused, once the person has signed in again", async () => {
  localStorage.setItem("token", "a-token");
  let ended = false;
  const sent: string[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me")) {
      return ended
        ? { status: 401, body: { error: "please login to continue" } }
        : { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/user/sign-in") {
      ended = false;
      return { body: { message: "ok", token: "another-token" } };
    }
    if (url.pathname.startsWith("/product/update-product/")) {
      sent.push(JSON.parse(String(init.body)).title);
      return ended
        ? { status: 401, body: { error: "please login to continue" } }
        : { body: { product: aProduct() } };
    }
    return {
      body: url.pathname.startsWith("/product/product/") ? { product: aProduct() } : aPage([aProduct()]),
    };
  });
  const { user, location } = renderApp("/update-product/p1");
  await user.type(await screen.findByLabelText("Title"), "!");
  ended = true;
  await user.click(screen.getByRole("button", { name: "Update product" }));
  await user.type(await screen.findByLabelText("Password"), "a-long-password");
  expect(screen.queryByText("please login to continue")).toBeNull();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(location().pathname).toBe("/"));
  expect(sent).toEqual(["Braided USB-C cable!", "Braided USB-C cable!"]);
});

it("says that a save failed when nobody answers whether the session has ended", async () => {
  localStorage.setItem("token", "a-token");
  let down = false;
  fakeServer((url) => {
    if (url.pathname.startsWith("/user/me")) {
      return down ? "network down" : { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname.startsWith("/product/update-product/")) {
      down = true;
      return { status: 401, body: { error: "please login to continue" } };
    }
    return {
      body: url.pathname.startsWith("/product/product/") ? { product: aProduct() } : aPage([aProduct()]),
    };
  });
  const { user } = renderApp("/update-product/p1");
  await user.type(await screen.findByLabelText("Title"), "!");
  await user.click(screen.getByRole("button", { name: "Update product" }));
  expect(await screen.findByText("please login to continue")).toBeVisible();
  expect(screen.getByLabelText("Title")).toHaveValue("Braided USB-C cable!");
});

it("saves by the bar, or discards what was typed and its stored draft until that is undone", async () => {
  localStorage.setItem("token", "a-token");
  const product = aProduct();
  const sent: unknown[] = [];
  fakeServer((url, init) => {
    if (url.pathname.startsWith("/user/me")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname.startsWith("/product/update-product/")) {
      sent.push(JSON.parse(String(init.body)).title);
    }
    return { body: url.pathname === "/product/get-products" ? aPage([product]) : { product, points: [] } };
  });
  const { user, location } = renderApp("/update-product/p1");
  const title = await screen.findByLabelText("Title");
  expect(screen.queryByRole("button", { name: "Discard" })).toBeNull();
  await user.type(title, "!");
  const draft = () => localStorage.getItem("draft:update-product:p1");
  expect(draft()).not.toBeNull();
  await user.click(screen.getByRole("button", { name: "Discard" }));
  expect(title).toHaveValue(product.title);
  expect(draft()).toBeNull();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(title).toHaveValue(`${product.title}!`);
  expect(draft()).not.toBeNull();
  await user.click(screen.getByRole("button", { name: "Update product" }));
  await waitFor(() => expect(location().pathname).toBe("/"));
  expect(sent).toEqual([`${product.title}!`]);
});

it("discards a restored draft by the bar, and goes back to the product as it is", async () => {
  localStorage.setItem("token", "a-token");
  const product = aProduct();
  const values = { ...fromProduct(product), title: "A draft" };
  storeDraft("draft:update-product:p1", { values, version: product.updatedAt });
  fakeServer((url) => ({
    body: url.pathname.startsWith("/user/me")
      ? { user: aUser({ Role: "admin" }) }
      : url.pathname === "/product/get-products"
        ? aPage([product])
        : { product, points: [] },
  }));
  const { user } = renderApp("/update-product/p1");
  expect(await screen.findByLabelText("Title")).toHaveValue("A draft");
  await user.click(screen.getByRole("button", { name: "Discard" }));
  await waitFor(() => expect(screen.getByLabelText("Title")).toHaveValue(product.title));
  expect(screen.queryByRole("button", { name: "Discard them" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(screen.getByLabelText("Title")).toHaveValue("A draft"));
});
