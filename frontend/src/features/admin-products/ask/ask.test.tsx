import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPage, aProduct, aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";

async function open(path: string) {
  localStorage.setItem("token", "a-token");
  fakeServer(({ pathname }) => {
    if (pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    if (pathname === "/product/facets") {
      return { body: { all: 1, categories: [], sources: [{ name: "Flipkart", products: 1 }] } };
    }
    return { body: pathname === "/report/trends" ? {} : aPage([aProduct()]) };
  });
  const app = renderApp(path);
  return { ...app, field: await screen.findByRole("combobox", { name: "Search deals" }) };
}

it("takes a seller by the arrow keys, keeps it as a chip, and removes it by Backspace", async () => {
  const { user, field, location } = await open("/admin/products?category=Home");
  await user.type(field, "flip{ArrowDown}{Enter}");
  expect(location().search).toBe("?category=Home&source=Flipkart");
  expect(screen.getByRole("button", { name: "Remove Seller: Flipkart" })).toBeVisible();
  expect(field).toHaveFocus();
  expect(field).toHaveValue("");
  await user.keyboard("{Backspace}");
  expect(location().search).toBe("?category=Home");
  await user.click(screen.getByRole("button", { name: "Remove Category: Home" }));
  expect(location().search).toBe("");
});

it("searches by Enter, takes a price as a price, and is reached by /", async () => {
  const { user, field, location } = await open("/admin/products");
  await user.keyboard("/");
  expect(field).toHaveFocus();
  await user.keyboard("kettle{Enter}");
  expect(location().search).toBe("?search=kettle");
  await user.keyboard("₹500–2,000{Enter}");
  expect(location().search).toBe("?search=kettle&minPrice=500&maxPrice=2000");
  await user.keyboard("{Enter}");
  expect(location().search).toBe("?search=kettle&minPrice=500&maxPrice=2000");
});

it("keeps the kind of work that is looked at", async () => {
  const { user, field, location } = await open("/admin/products?needs=old-price&sortBy=clicks");
  await user.type(field, "flip{ArrowDown}{Enter}");
  expect(location().search).toBe("?source=Flipkart&needs=old-price&sortBy=clicks");
});
