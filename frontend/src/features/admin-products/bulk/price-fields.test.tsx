import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PricePreview } from "../../../api/types";
import { aPage, aProduct, aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";
import { readPriceChange } from "./price-fields";

/** Chooses the only product of 12, and "Change price by". */
async function openPriceChange(preview: { status?: number; body: unknown }, all = false) {
  localStorage.setItem("token", "a-token");
  const sent: { path: string; body: unknown }[] = [];
  fakeServer((url, init) => {
    if (init.method === "POST") {
      sent.push({ path: url.pathname, body: JSON.parse(String(init.body)) });
      return url.pathname === "/product/bulk/preview" ? preview : { body: { changed: 12, undo: "u1" } };
    }
    if (url.pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    return { body: url.pathname === "/report/trends" ? {} : aPage([aProduct()], { total: 12 }) };
  });
  const app = renderApp("/admin/products?minAge=30");
  await app.user.click(await screen.findByRole("checkbox", { name: "Choose Braided USB-C cable" }));
  if (all) {
    await app.user.click(screen.getByRole("button", { name: "Choose all 12" }));
  }
  await app.user.click(screen.getByRole("button", { name: "Change price" }));
  return { ...app, sent };
}

it("previews a change of prices before it is applied to the whole list", async () => {
  const body: PricePreview = { changed: 12, example: { title: "Lamp", from: 1605, to: 1499 } };
  const { user, sent } = await openPriceChange({ body }, true);
  expect(screen.getByRole("button", { name: "Apply" })).toBeDisabled();
  await user.type(screen.getByLabelText("Amount"), "6.6");
  expect(await screen.findByText("12 products, for example ₹1,605.00 → ₹1,499.00")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("12 products: final price 6.6% less.")).toBeVisible();
  const change = {
    ...{ list: "minAge=30", total: 12 },
    ...{ action: "changePrice", unit: "percent", value: -6.6 },
  };
  await waitFor(() => expect(sent.map(({ path }) => path)).toContain("/product/bulk"));
  expect(sent.every(({ body }) => JSON.stringify(body) === JSON.stringify(change))).toBe(true);
});

it("says which products can't be changed so, and applies nothing", async () => {
  const refusal = "The price would be 0 or less, or above ₹1,00,00,00,000: “Lamp”.";
  const body = { error: refusal, code: "invalid_fields", fields: { value: refusal } };
  const { user } = await openPriceChange({ status: 400, body });
  await user.type(screen.getByLabelText("Amount"), "5000");
  await user.selectOptions(screen.getByLabelText("Unit and direction"), "₹ less");
  expect(await screen.findByText(refusal)).toBeVisible();
  expect(screen.getByRole("button", { name: "Apply" })).toBeDisabled();
});

it.each([
  ["1,000", "+rupees", { action: "changePrice", unit: "rupees", value: 1000 }],
  ["7.5", "-percent", { action: "changePrice", unit: "percent", value: -7.5 }],
  ["0", "+rupees", undefined],
  ["-5", "+rupees", undefined],
  ["", "-percent", undefined],
  ["five", "-percent", undefined],
])("reads %s %s", (text, unit, change) => {
  expect(readPriceChange({ text, unit })).toEqual(change);
});
