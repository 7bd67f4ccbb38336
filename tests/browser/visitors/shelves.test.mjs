// Pages of categories and sellers in the demo shop.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, DESKTOP, PHONE, visits } from "../browser.mjs";

const visit = visits();

for (const viewport of [PHONE, DESKTOP]) {
  for (const colorScheme of ["light", "dark"]) {
    const how = `${viewport.width} px, ${colorScheme}`;
    visit(
      `categories and sellers have pages (${how})`,
      async (page) => {
        await page.goto("/");
        const categories = page.getByRole("navigation", { name: "Categories" });
        await categories.getByRole("link", { name: /^Electronics/ }).click();
        await page.waitForURL("**/category/electronics");
        await categories.getByRole("link", { name: /^Audio/ }).click();
        await page.waitForURL("**/category/electronics/audio");
        await page.getByRole("heading", { level: 1, name: "Audio" }).waitFor();
        await assertAccessible(page, `category, ${how}`);
        await assertNoSidewaysScroll(page, `category, ${how}`);
        const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
        await crumbs.getByRole("link", { name: "Electronics" }).click();
        await page.waitForURL("**/category/electronics");
        await page.getByLabel("Sort by").selectOption("price");
        await page.waitForURL("**/category/electronics?sortBy=price&order=asc");
        await page.getByRole("link", { name: "Next" }).click();
        await page.waitForURL("**/category/electronics?sortBy=price&order=asc&page=2");

        await page.getByRole("link", { name: "View Details" }).first().click();
        await page.getByRole("heading", { name: /^More from/ }).waitFor();
        await page.getByRole("link", { name: /^All \d+ of [A-Z]\w+$/ }).click();
        await page.waitForURL("**/seller/*");
        await page.getByRole("heading", { level: 1, name: /^Deals at/ }).waitFor();
        await page.locator("article").first().waitFor();
        await assertAccessible(page, `seller, ${how}`);
        await assertNoSidewaysScroll(page, `seller, ${how}`);
        assert.equal(await page.getByRole("list", { name: "Active filters" }).count(), 0);
      },
      { viewport, colorScheme },
    );
  }
}

visit(
  "a category's page is searched, sorted and turned without JavaScript",
  async (page) => {
    await page.goto("/category/electronics?minPrice=300");
    await page.getByLabel("Sort by").selectOption("price");
    await page.locator("main form", { has: page.getByLabel("Sort by") }).getByRole("button", { name: "Apply" }).click();
    await page.waitForURL("**/category/electronics?*sortBy=price*");
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/category/electronics?*page=2");
    await page.getByRole("searchbox").fill("laptop");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.waitForURL("**/category/electronics?*search=laptop*");
    await page.getByRole("heading", { name: "“laptop” in Electronics, from ₹300" }).waitFor();
    await page.goto("/seller/croma");
    await page.getByRole("heading", { level: 1, name: "Deals at Croma" }).waitFor();
  },
  { javaScriptEnabled: false, viewport: PHONE },
);
