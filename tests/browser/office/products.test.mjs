// The products of the office, in a shop with demo products and two made-up months of clicks.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, openOffice, PHONE, said, settled, signIn, visits } from "../browser.mjs";

const { PASSWORD } = process.env;
const visit = visits();

for (const [width, most] of [[1280, 320], [390, 374]]) {
  visit(`few controls stand above the first product at ${width} px`, async (page) => {
    await openOffice(page, "/admin");
    for (const path of ["/admin/products", "/admin/products?view=no-clicks"]) {
      await page.goto(path);
      const row = page.locator(".product-table tbody tr").first();
      await row.waitFor();
      await settled(page);
      const { y } = await row.boundingBox();
      assert.ok(y <= most, `${path}: ${y} px`);
      const controls = await page.locator("main").evaluate((main) => {
        const first = main.querySelector(".product-table tbody tr");
        const all = [...main.querySelectorAll("a, button, input, select, summary")];
        return all.filter((one) => first.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING).length;
      });
      assert.ok(controls <= 12, `${path}: ${controls} controls`);
    }
  }, { viewport: { width, height: 844 } });
}

visit("prices and discounts are edited in the product list and undone", async (page) => {
  await page.addInitScript(() => {
    window.setInterval = () => 0;
  });
  await openOffice(page, "/admin/products?search=kettle");
  await page.getByRole("button", { name: /^Details of .*Kettle/ }).click();
  const row = page.locator("tbody");
  await row.getByRole("button", { name: /^Price of .*₹1,500.00\. Change/ }).click();
  const field = row.getByRole("textbox", { name: /^Price of/ });
  await field.fill("1,299.999");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  await page.keyboard.press("Enter");
  await field.fill("₹");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  await field.fill("1,299.50");
  await page.keyboard.press("Enter");
  await page.getByText(/^Price of “.*Kettle.*”: ₹1,500\.00 → ₹1,299\.50\.$/).waitFor();
  await row.getByText("₹935.64").waitFor();
  await row.getByRole("button", { name: /^Price of/ }).and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await said(page, "Undone");
  await row.getByText("₹1,080.00").waitFor();
  await row.getByRole("button", { name: /^Discount of/ }).click();
  await row.getByRole("textbox", { name: /^Discount of/ }).fill("30");
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: /^Discount of .*28%/ }).waitFor();
});

visit(
  "on a phone the final price is edited in the product list",
  async (page) => {
    await page.addInitScript(() => {
      window.setInterval = () => 0;
    });
    await openOffice(page, "/admin/products?search=kettle");
    const row = page.getByRole("row", { name: /Kettle/ });
    await row.getByRole("button", { name: /^Final price of .*₹1,080.00\. Change/ }).click();
    const field = row.getByRole("textbox", { name: /^Final price of/ });
    await assertAccessible(page, "a final price that is changed");
    await assertNoSidewaysScroll(page, "a final price that is changed");
    await field.fill("999");
    await page.keyboard.press("Enter");
    await page.getByText(/^Final price of “.*Kettle.*”: ₹1,080\.00 → ₹.*\.$/).waitFor();
    await row.getByText("₹999.00").waitFor();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await said(page, "Undone");
    await row.getByText("₹1,080.00").waitFor();
    await page.getByRole("button", { name: /^Details of .*Kettle/ }).click();
    await page.locator("tbody").getByText("28%").waitFor();
  },
  { viewport: PHONE },
);

visit("table headings are above their columns at every width", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  for (const width of [320, 360, 375, 390, 640, 768, 1024, 1152, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/admin/products");
    await page.getByRole("button", { name: /^Final price of/ }).first().waitFor();
    const wrong = await page.locator(".product-table").evaluate((table) => {
      const edges = table.getBoundingClientRect();
      // A phone's rows have two lines, and headings for screen readers only.
      if (table.querySelector("thead").getBoundingClientRect().height < 2) return [];
      const headings = [...table.querySelectorAll("thead th")];
      return [...table.querySelectorAll("tbody tr")].flatMap((row) =>
        headings.filter((heading, column) => {
          const cell = row.children[column].getBoundingClientRect();
          const { left, right, width } = heading.getBoundingClientRect();
          if (width < 2) return false;
          const over = left === cell.left && right === cell.right && left >= edges.left && right <= edges.right;
          return !over || heading.scrollWidth > heading.clientWidth;
        }),
      ).map((heading) => heading.textContent);
    });
    assert.deepEqual([...new Set(wrong)], [], `${width} px`);
  }
});

visit("a heading sorts the product list", async (page) => {
  await page.addInitScript(() => {
    window.setInterval = () => 0;
  });
  await openOffice(page, "/admin/products");
  await page.getByRole("button", { name: "Clicks" }).click();
  await page.getByRole("columnheader", { name: "Clicks" }).and(page.locator("[aria-sort=descending]")).waitFor();
  await page.waitForURL(/sortBy=clicks/);
  await page.getByRole("button", { name: "Clicks" }).click();
  await page.locator("[aria-sort=ascending]").waitFor();
  await page.waitForURL(/order=asc/);

  await page.goto("/admin/products?category=Books");
  await page.getByText("12 deals").waitFor();
  await page.locator("tbody").getByRole("checkbox").first().check();
  await page.getByText("1 of 12 selected").waitFor();
  await page.getByRole("button", { name: "Select all 12" }).click();
  await page.getByText("12 of 12 selected").waitFor();
  await page.getByRole("button", { name: "More for the selected deals" }).click();
  await assertAccessible(page, "the bar of the selected products");
  await page.getByRole("menuitem", { name: "Set category" }).click();
  await page.getByLabel("New category").selectOption("Home");
  await page.getByText("12 deals", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByText("12 deals: category is now Home.").waitFor();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.getByText("12 deals", { exact: true }).waitFor();

  // Nothing is deleted unseen: another search lets go of what was chosen.
  await page.locator("tbody").getByRole("checkbox").first().check();
  await page.getByText("1 of 12 selected").waitFor();
  await page.getByLabel("Search deals").fill("tea");
  await page.keyboard.press("Enter");
  await page.getByText(/^0 of \d+ selected$/).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "End now" }).waitFor({ state: "detached" });
});

visit("the menu of a product row works by keyboard", async (page) => {
  await page.addInitScript(() => {
    window.setInterval = () => 0;
  });
  await openOffice(page, "/admin/products?search=hush");
  const more = page.getByRole("button", { name: "More of Ludvane Hush Mouse" });
  await more.press("Enter");
  await assertAccessible(page, "a menu");
  await page.keyboard.press("ArrowUp");
  await page.getByRole("menuitem", { name: "Delete" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await more.and(page.locator(":focus")).waitFor();
  await more.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this product?" });
  await dialog.getByText("Ludvane Hush Mouse").waitFor();
  const cut = await dialog.getByRole("button").evaluateAll((all) => all.some((it) => it.scrollWidth > it.clientWidth));
  assert.equal(cut, false, "buttons are as wide as their words, also within a row of the table");
  await assertAccessible(page, "the question before a product is deleted");
  await page.keyboard.press("Escape");
  await more.and(page.locator(":focus")).waitFor();
  await more.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("“Ludvane Hush Mouse” is deleted.").waitFor();
  await page.getByText("No deals match the search and its filters.").waitFor();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await more.press("Enter");
  await page.getByRole("menuitem", { name: "End now" }).click();
  await page.getByText("“Ludvane Hush Mouse” has ended.").waitFor();
  await more.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Undo/ }).and(page.locator(":focus")).press("Enter");
  await more.press("Enter");
  await page.getByRole("menuitem", { name: "Clicks by day" }).click();
  await page.getByText("Only “Ludvane Hush Mouse”").waitFor();
});
