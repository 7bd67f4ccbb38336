// Many products at once in the office: prices, filters by seller and age, possible duplicates.

import assert from "node:assert/strict";
import {
  assertAccessible,
  assertNoSidewaysScroll,
  DESKTOP,
  openOffice,
  PHONE,
  SCREENS,
  said,
  visits,
} from "../browser.mjs";

const visit = visits();

/** Keeps the time for an undo from running out. */
function stopClock(page) {
  return page.addInitScript(() => {
    window.setInterval = () => 0;
  });
}

visit("a bulk price change of a seller is previewed and undone", async (page) => {
  await stopClock(page);
  await openOffice(page, "/admin/products");
  const field = page.getByRole("combobox", { name: "Search deals" });
  await field.fill("cro");
  await page.getByRole("option", { name: "Seller: Croma" }).waitFor();
  await assertAccessible(page, "what the field offers");
  await field.press("ArrowDown");
  await field.press("Enter");
  await page.waitForURL(/source=Croma/);
  await page.getByText("60 deals", { exact: true }).waitFor();
  await page.locator("tbody").getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Select all 60" }).click();
  await page.getByText("60 of 60 selected, 10 of them on other pages").waitFor();
  const { height } = await page.locator(".bulk").boundingBox();
  assert.ok(height < 70, `one row of ${height} px`);
  await page.getByRole("button", { name: "Change price" }).press("Enter");
  await page.getByLabel("Amount").and(page.locator(":focus")).waitFor();
  const apply = page.getByRole("button", { name: "Apply", exact: true });
  assert.ok(await apply.isDisabled());
  await page.getByLabel("Amount").fill("6.6");
  await page.getByText("60 deals, for example ₹1,000.00 → ₹934.00").waitFor();
  await assertAccessible(page, "the preview of a price change");
  await page.getByLabel("Unit and direction").selectOption("₹ less");
  await page.getByText("60 deals, for example ₹1,000.00 → ₹993.40").waitFor();
  await page.getByLabel("Amount").fill("5000");
  await page.getByText(/^The price would be 0 or less, .*: “Product \d+”.* and 57 more\./).waitFor();
  assert.ok(await apply.isDisabled());
  await page.getByLabel("Amount").fill("100");
  await page.getByText("60 deals, for example ₹1,000.00 → ₹900.00").waitFor();
  await apply.click();
  await page.getByRole("alert").getByText("10 deals on other pages may change by half or more. Save it?").waitFor();
  await page.getByRole("button", { name: "Save: the selected deals" }).click();
  await page.getByText("60 deals: final price ₹100.00 less.").waitFor();
  await page.getByRole("button", { name: /^Final price of .*: ₹900\.00\. Change$/ }).first().waitFor();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await said(page, "Undone");
  await page.getByRole("button", { name: /^Final price of .*: ₹1,000\.00\. Change$/ }).first().waitFor();
});

visit("the age filter of the product list is in its address", async (page) => {
  await openOffice(page, "/admin/products");
  await page.getByRole("combobox", { name: "Search deals" }).click();
  await page.getByRole("option", { name: "Added over 30 days ago" }).click();
  await page.waitForURL(/minAge=30/);
  await page.getByText("No deals match the search and its filters.").waitFor();
  await page.getByRole("button", { name: "Show all deals" }).click();
  await page.getByText("68 deals", { exact: true }).waitFor();
  await page.goto("/admin/products?minPriceAge=45");
  await page.getByRole("button", { name: "Remove Price over 45 days old" }).click();
  await page.waitForURL((url) => url.search === "");
});

for (const [what, viewport, colorScheme] of [
  ["a wide screen", DESKTOP, "dark"],
  ["a phone", PHONE, "light"],
]) {
  visit(
    `on ${what} the cheaper of possible duplicates is kept, and the others come back`,
    async (page) => {
      await stopClock(page);
      await openOffice(page, "/admin/products?view=duplicates");
      await page.getByText("5 deals in 2 groups", { exact: true }).waitFor();
      const cable = page.getByRole("listitem").filter({
        has: page.getByRole("heading", { name: "Cable" }),
      });
      await cable.getByText("Amazon · 3 deals").waitFor();
      const kept = cable.getByRole("listitem").filter({ hasText: "Stays" });
      assert.match(await kept.textContent(), /₹300\.00/);
      await assertAccessible(page, "groups of possible duplicates");
      await assertNoSidewaysScroll(page, "groups of possible duplicates");
      await page.getByRole("button", { name: "Keep the cheapest: Cable" }).click();
      await page.getByText("“Cable” stays at ₹300.00, 2 others are deleted.").waitFor();
      await page.getByText("2 deals in 1 group", { exact: true }).waitFor();
      await page.getByRole("button", { name: /^Undo/ }).click();
      await said(page, "Undone");
      await page.getByText("5 deals in 2 groups", { exact: true }).waitFor();
    },
    { viewport, colorScheme },
  );
}

for (const [where, viewport, colorScheme] of SCREENS) {
  visit(
    `on ${where}, ${colorScheme}, the cheaper of the deals with the same link is kept, and the other comes back`,
    async (page) => {
      await stopClock(page);
      await openOffice(page, "/admin/products?view=same-link");
      await page.getByText("Amazon · 2 deals · B0ABCD1234").waitFor();
      const kept = page.getByRole("listitem").filter({ hasText: "Stays" }).last();
      assert.match(await kept.textContent(), /₹650\.00.*Litre for tea/);
      await assertAccessible(page, "groups with the same link");
      await assertNoSidewaysScroll(page, "groups with the same link");
      const keep = page.getByRole("button", { name: "Keep the cheapest: Litre for tea" });
      await keep.focus();
      await page.keyboard.press("Enter");
      await page.getByText("“Litre for tea” stays at ₹650.00, 1 other is deleted.").waitFor();
      await page.getByText("No two deals have the same link.").waitFor();
      await assertAccessible(page, "no groups with the same link");
      await page.getByRole("button", { name: /^Undo/ }).click();
      await said(page, "Undone");
      await page.getByText("Amazon · 2 deals · B0ABCD1234").waitFor();
    },
    { viewport, colorScheme },
  );
}
