import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { storeDraft } from "../../product/form/draft";
import { fromProduct } from "../../schemas/product";
import { aPage, aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

const CABLE = aProduct();

/** Opens the form with what was typed before; `add` answers each request to add it. */
async function openForm(add: (url: URL) => ReturnType<Parameters<typeof fakeServer>[0]>) {
  localStorage.setItem("token", "a-token");
  storeDraft("draft:add-product", { values: fromProduct(CABLE), version: "" });
  const server = fakeServer((url) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/product/add-product") {
      return add(url);
    }
    return { body: url.pathname.startsWith("/product/product/") ? { product: CABLE } : aPage([CABLE]) };
  });
  const app = renderApp("/add-product");
  const submit = async () => app.user.click(await screen.findByRole("button", { name: "Add product" }));
  const sent = () => server.requests.filter(({ url }) => url.pathname === "/product/add-product");
  const keys = () => sent().map(({ init }) => new Headers(init.headers).get("idempotency-key"));
  await submit();
  return { ...app, submit, sent, keys };
}

it("sends the same key again after a network failure, and another with other values", async () => {
  const { user, submit, keys } = await openForm(() => "network down");
  await screen.findByText("failed to add product please try again later");
  await submit();
  await waitFor(() => expect(keys()).toHaveLength(2));
  await user.type(await screen.findByLabelText("Title"), "!");
  await submit();
  await waitFor(() => expect(keys()).toHaveLength(3));
  const [first, second, third] = keys();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

it("asks before it adds a second deal with the same link, and loses nothing", async () => {
  const { user, sent, keys, location } = await openForm((url) =>
    url.searchParams.get("unique") === "true"
      ? { status: 409, body: { error: "It is there already.", id: "p1" } }
      : { status: 201, body: { product: aProduct({ _id: "p2" }), duplicateOf: "p1" } },
  );
  const question = await screen.findByRole("region", { name: "This deal already exists." });
  await waitFor(() => expect(question).toHaveFocus());
  await waitFor(() =>
    expect(question).toHaveTextContent(`${CABLE.title}Amazon · ElectronicsOld price₹44,444.16`),
  );
  expect(screen.getByRole("link", { name: "Open that one" })).toHaveAttribute("href", "/update-product/p1");
  expect(screen.getByLabelText("Title")).toHaveValue(CABLE.title);
  await user.click(screen.getByRole("button", { name: "Add it all the same" }));
  await waitFor(() => expect(location().pathname).toBe("/details/p2"));
  expect(sent().map(({ url }) => url.search)).toEqual(["?unique=true", ""]);
  expect(new Set(keys()).size).toBe(2);
  expect(localStorage.getItem("draft:add-product")).toBeNull();
});

it("says once that an image is missing when the form is sent empty", async () => {
  localStorage.setItem("token", "a-token");
  fakeServer((url) => ({
    body: url.pathname.startsWith("/user/me/") ? { user: aUser({ Role: "admin" }) } : aPage([]),
  }));
  const { user } = renderApp("/add-product");
  await user.click(await screen.findByRole("button", { name: "Add product" }));
  expect(await screen.findByText("At least one image URL is required.")).toBeVisible();
  expect(screen.queryByText("A")).toBeNull();
  expect(screen.getByLabelText("Picture 1")).toHaveAccessibleDescription(
    "At least one image URL is required.",
  );
});

it("accepts a final price typed after a refusal, without an error about the discount it replaces", async () => {
  const { user } = await openForm(() => "network down");
  await screen.findByText("failed to add product please try again later");
  await user.type(screen.getByLabelText("Final price"), "9");
  await waitFor(() => expect(screen.getByLabelText("Discount")).toHaveValue(""));
  expect(screen.getByLabelText("Final price")).toHaveValue("9");
  await waitFor(() => expect(screen.queryByText(/do not fit together/)).toBeNull());
  expect(screen.getByLabelText("Final price")).toHaveAttribute("aria-invalid", "false");
});

it("shows the card once there are a title and a price, and a final price that no field has", async () => {
  localStorage.setItem("token", "a-token");
  fakeServer((url) => ({
    body: url.pathname.startsWith("/user/me/") ? { user: aUser({ Role: "admin" }) } : aPage([]),
  }));
  const { user } = renderApp("/add-product");
  const preview = within(await screen.findByRole("region", { name: "Preview" }));
  const line = () => document.querySelector("output");
  expect(preview.getByText("Fill in title and price to see its card.")).toBeVisible();
  await user.type(screen.getByLabelText("Title"), "Brass lamp");
  await user.type(screen.getByLabelText("Price"), "₹ 500.00");
  expect(preview.getByText("Brass lamp")).toBeVisible();
  expect(preview.queryByText(/^Fill in/)).toBeNull();
  expect(line()).toBeEmptyDOMElement();
  await user.clear(screen.getByLabelText("Discount"));
  await user.type(screen.getByLabelText("Discount"), "40");
  expect(line()).toHaveTextContent("Final price ₹300.00");
  await user.type(screen.getByLabelText("Final price"), "299");
  expect(line()).toBeEmptyDOMElement();
});

it("moves images only where there are two", async () => {
  localStorage.setItem("token", "a-token");
  fakeServer((url) => ({
    body: url.pathname.startsWith("/user/me/") ? { user: aUser({ Role: "admin" }) } : aPage([]),
  }));
  const { user } = renderApp("/add-product");
  await user.click(await screen.findByRole("button", { name: "Add picture" }));
  expect(screen.getByRole("button", { name: "Move picture 2 up" })).toBeEnabled();
  await user.click(screen.getByRole("button", { name: "Remove picture 2" }));
  expect(screen.queryByRole("button", { name: /^Move picture/ })).toBeNull();
});

it("leads back to the office's products, which say what was added", async () => {
  localStorage.setItem("token", "a-token");
  storeDraft("draft:add-product", { values: fromProduct(CABLE), version: "" });
  fakeServer((url, { method }) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    return method === "POST"
      ? { status: 201, body: { product: aProduct({ _id: "p2" }) } }
      : { body: url.pathname === "/report/trends" ? {} : aPage([CABLE]) };
  });
  const { user, location } = renderApp("/admin/products");
  await user.click(await screen.findByRole("link", { name: "Add product" }));
  await user.click(await screen.findByRole("button", { name: "Add product" }));
  await screen.findByText(`Added “${CABLE.title}”`);
  expect(location().pathname).toBe("/admin/products");
  expect(screen.getByRole("link", { name: "View" })).toHaveAttribute("href", "/details/p2");
  expect(screen.getByRole("link", { name: "Add another" })).toHaveAttribute("href", "/add-product");
  // The page would have the state of the history again after a reload.
  expect(location().state).toBeNull();
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText(`Added “${CABLE.title}”`)).toBeNull();
});
