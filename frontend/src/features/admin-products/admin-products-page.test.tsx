import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { BulkOutcome, Product, StateCounts } from "../../api/types";
import { aPage, aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

/** Opens the office's products, and keeps what is sent to change them. */
async function openProducts(products: Product[], path = "/admin/products", total = products.length) {
  localStorage.setItem("token", "a-token");
  const sent: { path: string; body: Record<string, unknown> }[] = [];
  fakeServer((url, init) => {
    if (init.method === "POST" || init.method === "PUT") {
      const body = JSON.parse(String(init.body));
      sent.push({ path: url.pathname, body });
      return url.pathname.startsWith("/product/update-product/")
        ? { body: { product: { ...products[0], ...body, discount: 70 } } }
        : { body: { changed: body.ids?.length ?? total, undo: "u1" } satisfies BulkOutcome };
    }
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (url.pathname === "/product/states") {
      return { body: { live: 1, scheduled: 0, drafts: 0, ended: 0 } satisfies StateCounts };
    }
    return { body: url.pathname === "/report/trends" ? {} : aPage(products, { total }) };
  });
  const app = renderApp(path);
  await screen.findByRole("region", { name: "Products" });
  return { ...app, sent };
}

it("takes a changed final price back with the price and the discount that it had", async () => {
  const { user, sent } = await openProducts([
    aProduct({ price: 109900, discount: 22.66, finalPrice: 84999 }),
  ]);
  await user.click(await screen.findByRole("button", { name: /^Final price of .*: ₹84,999\.00\. Change$/ }));
  const field = screen.getByRole("textbox", { name: /^Final price of/ });
  await user.clear(field);
  await user.type(field, "79,999{Enter}");
  expect(await screen.findByText("The final price of “Braided USB-C cable” is changed.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Undo/ }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[0]?.body).toMatchObject({ price: 109900, finalPrice: 79999 });
  expect(sent[1]?.body).toMatchObject({ price: 109900, discount: 22.66, finalPrice: 84999 });
});

it("shows a discount in the colour of savings, but not none", async () => {
  await openProducts([aProduct(), aProduct({ _id: "p2", title: "Linen trousers", discount: 0 })]);
  const cell = async (title: string) =>
    (await screen.findByRole("button", { name: new RegExp(`^Discount of ${title}`) })).closest("td");
  expect(await cell("Braided USB-C cable")).toHaveClass("is-saving");
  expect(await cell("Linen trousers")).not.toHaveClass("is-saving");
});

it("sorts by a heading highest first, then lowest first, then as usual", async () => {
  const { user, location } = await openProducts([aProduct()]);
  const press = async () => user.click(await screen.findByRole("button", { name: "Final price" }));
  await press();
  expect(location().search).toBe("?sortBy=finalPrice");
  await press();
  expect(location().search).toBe("?sortBy=finalPrice&order=asc");
  await press();
  expect(location().search).toBe("");
});
