import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PricePreview } from "../../../api/types";
import { aPage, aProduct, aUser, fakeServer } from "../../../test/fake-server";
import { renderApp } from "../../../test/render-app";
import { largeIn, perhapsLarge, readPriceChange } from "./price-fields";

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
  await app.user.click(await screen.findByRole("checkbox", { name: "Select Braided USB-C cable" }));
  if (all) {
    await app.user.click(screen.getByRole("button", { name: "Select all 12" }));
  }
  await app.user.click(screen.getByRole("button", { name: "Change price" }));
  return { ...app, sent };
}

it("previews a change of prices before it is applied to the whole list", async () => {
  const body: PricePreview = { changed: 12, example: { title: "Lamp", from: 1605, to: 1499 } };
  const { user, sent } = await openPriceChange({ body }, true);
  expect(screen.getByRole("button", { name: "Apply" })).toBeDisabled();
  await user.type(screen.getByLabelText("Amount"), "6.6");
  expect(await screen.findByText("12 deals, for example ₹1,605.00 → ₹1,499.00")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("12 deals: final price 6.6% less.")).toBeVisible();
  const change = {
    ...{ list: "minAge=30", total: 12 },
    ...{ action: "changePrice", unit: "percent", value: -6.6 },
  };
  await waitFor(() => expect(sent.map(({ path }) => path)).toContain("/product/bulk"));
  expect(sent.every(({ body }) => JSON.stringify(body) === JSON.stringify(change))).toBe(true);
});

it("warns of a change to half or less, and asks once before it is applied", async () => {
  const body: PricePreview = {
    changed: 1,
    example: { title: "Braided USB-C cable", from: 44444.16, to: 4444.42 },
  };
  const { user, sent } = await openPriceChange({ body });
  const amount = screen.getByLabelText("Amount");
  await user.type(amount, "90");
  const large = /“Braided USB-C cable”: ₹44,444.16 → ₹4,444.42, 90% less/;
  expect(await screen.findByText(large)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(screen.getByRole("alert")).toHaveTextContent(/90% less\. Save it\?$/);
  const change = screen.getByRole("button", { name: "Change: the selected deals" });
  expect(change).toHaveFocus();
  expect(change).toHaveAccessibleDescription(large);
  await user.click(change);
  expect(screen.getByLabelText("Amount")).toHaveFocus();
  expect(screen.getByLabelText("Amount")).toHaveValue("90");
  await user.keyboard("{Enter}");
  expect(sent.map(({ path }) => path)).not.toContain("/product/bulk");
  await user.click(screen.getByRole("button", { name: "Save: the selected deals" }));
  await waitFor(() => expect(sent.map(({ path }) => path)).toContain("/product/bulk"));
});

it("asks before a discount or an amount in rupees halves the price of a chosen product", () => {
  const chosen = [
    aProduct({ title: "Bed", price: 9000, finalPrice: 9000 }),
    aProduct({ title: "Lamp", price: 700, finalPrice: 600 }),
  ];
  expect(largeIn(chosen, { action: "changePrice", unit: "rupees", value: -500 })).toBe(
    "“Lamp”: ₹600 → ₹100, 83% less",
  );
  expect(largeIn(chosen, { action: "discount", value: 95 })).toBe("“Bed”: ₹9,000 → ₹450, 95% less");
  expect(largeIn(chosen, { action: "changePrice", unit: "rupees", value: -100 })).toBeUndefined();
  expect(largeIn(chosen, { action: "category", value: "Lamps" })).toBeUndefined();
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

it("warns of rupees and discounts where prices were not seen", () => {
  const rupees = { action: "changePrice", unit: "rupees", value: -500 } as const;
  expect(perhapsLarge(3, rupees)).toBe("3 deals on other pages may change by half or more");
  expect(perhapsLarge(1, { action: "discount", value: 90 })).toMatch(/^1 deal on/);
  expect(perhapsLarge(0, rupees)).toBeUndefined();
  expect(perhapsLarge(3, { ...rupees, unit: "percent", value: -10 })).toBeUndefined();
});
