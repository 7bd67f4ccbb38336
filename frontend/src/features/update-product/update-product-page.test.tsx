import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPage, aProduct, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

it("fills the form from the full product when opened from a card", async () => {
  localStorage.setItem("token", "a-token");
  const description = "A braided cable. ".repeat(20).trim();
  const product = aProduct({ description });
  const server = fakeServer((url) => {
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    return { body: url.pathname.startsWith("/product/product/") ? { product } : aPage([product]) };
  });
  const { user } = renderApp();
  await user.click(await screen.findByRole("link", { name: "Update" }));
  expect(await screen.findByLabelText(/^Description/)).toHaveValue(description);
  expect(server.requests.some(({ url }) => url.pathname === "/product/product/p1")).toBe(true);
});
