// Narrowing the list down in the demo shop: filters, chips, relevance and searches.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, DESKTOP, PHONE, visits } from "../browser.mjs";

const visit = visits();

const answer = (page, query) =>
  page.evaluate(async (asked) => (await fetch(`/product/get-products?${asked}`)).json(), query);

/** Opens all filters over the list. */
async function openFilters(page) {
  await page.getByRole("button", { name: "Filters" }).click();
  return page.getByRole("dialog", { name: "Filters" });
}

visit("filters narrow the list, stay in the address and can be taken away one by one", async (page) => {
  await page.goto("/");
  const sheet = await openFilters(page);
  const filters = sheet.getByRole("form", { name: "Price" });
  await filters.getByLabel("Highest price").fill("abc");
  await filters.getByRole("button", { name: "Apply" }).click();
  const refused = await filters.getByLabel("Highest price").evaluate(({ validity }) => validity.patternMismatch);
  assert.ok(refused, "an invalid price is reported");
  assert.equal(new URL(page.url()).search, "");
  await filters.getByLabel("Lowest price").fill("5,000");
  await filters.getByLabel("Highest price").fill("500");
  await filters.getByLabel("Highest price").press("Enter");
  // The lower one comes first, whichever field it was typed into.
  await page.waitForURL("**/?minPrice=500&maxPrice=5000");
  await sheet.getByRole("list", { name: "Discount" }).getByRole("link", { name: "20%+" }).click();
  await page.waitForURL("**/?minPrice=500&maxPrice=5000&minDiscount=20");
  const { meta } = await answer(page, "minPrice=500&maxPrice=5000&minDiscount=20");
  assert.ok(meta.total > 0 && meta.total < 48);
  await sheet.getByRole("button", { name: `Show ${meta.total} deal` }).click();
  await page.getByText(`${meta.total} deal`).waitFor();
  const chips = page.getByRole("list", { name: "Active filters" });
  assert.deepEqual(await chips.getByRole("link").allTextContents(), [
    "From ₹500",
    "Up to ₹5,000",
    "20% off or more",
    "Clear filters",
  ]);
  await chips.getByRole("link", { name: "Remove Up to ₹5,000" }).click();
  await page.waitForURL("**/?minPrice=500&minDiscount=20");
  await chips.getByRole("link", { name: "Clear filters" }).click();
  await page.getByText("48 deals", { exact: true }).waitFor();
  assert.equal(await chips.count(), 0);
  await page.goBack();
  await page.waitForURL("**/?minPrice=500&minDiscount=20");
  assert.equal(await (await openFilters(page)).getByLabel("Lowest price").inputValue(), "500");
});

visit("several sellers and a rating are chosen in the panel, each with its count, and removed one by one", async (page) => {
  await page.goto("/");
  const sheet = await openFilters(page);
  const sellers = sheet.getByRole("list", { name: "Sellers" });
  await sellers.getByRole("link", { name: "Amazon" }).click();
  await sellers.getByRole("link", { name: "Croma" }).click();
  await page.waitForURL("**/?source=Amazon&source=Croma");
  const rated = await answer(page, "source=Amazon&source=Croma&minRating=4");
  await sheet.getByRole("link", { name: `4★ and up ${rated.meta.total}` }).click();
  await page.waitForURL("**/?source=Amazon&source=Croma&minRating=4");
  await sheet.getByRole("button", { name: `Show ${rated.meta.total} deals` }).click();
  await page.getByRole("heading", { name: "Deals at Amazon or Croma, 4★ and up" }).waitFor();
  await page.getByRole("link", { name: "Remove Amazon" }).click();
  await page.waitForURL("**/?source=Croma&minRating=4");
  await page.goBack();
  await page.getByRole("link", { name: "Remove 4★ and up" }).waitFor();
});

visit("each filter option shows its count", async (page) => {
  await page.goto("/?search=cotton");
  const facets = await page.evaluate(async () => (await fetch("/product/facets?search=cotton")).json());
  const all = await page.evaluate(async () => (await fetch("/category")).json());
  const top = new Set(all.data.filter(({ parent }) => !parent).map(({ name }) => name));
  for (const { name, products } of facets.categories.filter(({ name }) => top.has(name))) {
    const categories = page.getByRole("navigation", { name: "Categories" });
    await categories.getByRole("link", { name: `${name} ${products}`.replace(" ", "") }).or(
      categories.getByRole("link", { name: `${name} ${products}` }),
    ).waitFor();
  }
  const source = facets.sources.toSorted((a, b) => b.products - a.products)[0];
  const offered = page.getByRole("list", { name: "Quick filters" });
  await offered.getByRole("link", { name: `${source.name} ${source.products}` }).or(
    offered.getByRole("link", { name: `${source.name}${source.products}` }),
  ).click();
  await page.getByText(`${source.products} deal`).waitFor();
  await page.getByRole("link", { name: `Remove ${source.name}` }).waitFor();
});

visit("a search is sorted by relevance with its words marked, and only a search is", async (page) => {
  await page.goto("/?search=lamp");
  const sort = page.getByLabel("Sort by");
  assert.equal(await sort.inputValue(), "relevance");
  const marked = await page.locator("article h2 mark").allTextContents();
  assert.ok(marked.length > 0);
  assert.ok(marked.every((word) => /^lamps?$/i.test(word)), marked.join());
  await page.getByRole("button", { name: "Clear search" }).click();
  await page.getByText("48 deals", { exact: true }).waitFor();
  assert.equal(await sort.inputValue(), "createdAt");
  assert.equal(await sort.getByRole("option", { name: "Relevance" }).count(), 0);
  assert.equal(await page.locator("mark").count(), 0);
});

visit("each sort begins in its usual order", async (page) => {
  await page.goto("/");
  for (const [label, query] of [
    ["Popularity", "sortBy=clicks"],
    ["Discount", "sortBy=discount"],
    ["Price", "sortBy=finalPrice&order=asc"],
    ["Date Added", ""],
  ]) {
    await page.getByLabel("Sort by").selectOption({ label });
    await page.waitForURL(query ? `**/?${query}` : "**/");
    const { data } = await answer(page, query);
    await page.waitForFunction(
      (titles) =>
        JSON.stringify([...document.querySelectorAll("article h2")].map((title) => title.textContent)) === titles,
      JSON.stringify(data.map(({ title }) => title)),
    );
  }
});

visit("suggestions are offered while typing, above the rest of the page and by keyboard too", async (page) => {
  await page.goto("/?category=Books");
  const field = page.getByRole("searchbox");
  await field.pressSequentially("steel");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await list.getByRole("option").last().waitFor();
  await assertAccessible(page, "suggestions");
  const isOnTop = await list.getByRole("option").last().evaluate((option) => {
    const { x, y, width, height } = option.getBoundingClientRect();
    return option.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  assert.ok(isOnTop);
  await page.keyboard.press("ArrowUp");
  const title = await list.getByRole("option", { selected: true }).locator(".clamp-2").textContent();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
});

visit("recent searches are offered in the empty field, by keyboard too, and can be forgotten", async (page) => {
  await page.goto("/");
  const field = page.getByRole("searchbox");
  for (const search of ["kettle", "cable", "Kettle"]) {
    await field.fill(search);
    await field.press("Enter");
    await page.getByRole("heading", { name: `“${search}”` }).waitFor();
  }
  await page.goto("/");
  await field.focus();
  const recent = page.getByRole("region", { name: "Recent searches" });
  await recent.waitFor();
  const offered = await recent.getByRole("listitem").allTextContents();
  assert.deepEqual(offered, ["Kettle", "cable"]);
  await assertAccessible(page, "recent searches");
  await page.keyboard.press("Escape");
  await recent.waitFor({ state: "detached" });
  await field.blur();
  await field.focus();
  await recent.waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "“cable”" }).waitFor();
  await page.getByRole("button", { name: "Clear search" }).click();
  await page.getByRole("button", { name: "Clear recent searches" }).click();
  await recent.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => localStorage.getItem("recent-searches")), null);
});

visit(
  "a phone opens the filters over the list, which say how many deals they leave",
  async (page) => {
    await page.goto("/");
    const toggle = page.getByRole("button", { name: "Filters" });
    await toggle.click();
    const sheet = page.getByRole("dialog", { name: "Filters" });
    await sheet.getByRole("button", { name: "Show 48 deals" }).waitFor();
    await sheet.getByRole("link", { name: "Under ₹500" }).click();
    await page.waitForURL("**/?maxPrice=500");
    const { meta } = await answer(page, "maxPrice=500");
    await assertAccessible(page, "filters on a phone");
    await assertNoSidewaysScroll(page, "filters on a phone");
    await sheet.getByRole("button", { name: `Show ${meta.total} deals` }).click();
    await sheet.waitFor({ state: "detached" });
    // The focus is where it was, and the button says that a filter is set.
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    assert.equal(focused, "Filters1");
    await toggle.click();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  },
  { viewport: PHONE },
);

visit("a price in the search is a filter that can be removed", async (page) => {
  await page.goto("/?search=cable+under+500");
  await page.getByRole("link", { name: "Remove Up to ₹500" }).click();
  await page.waitForURL("**/?search=cable");
});

visit("a filtered search without results offers other lists", async (page) => {
  await page.goto("/?search=cable&category=Books");
  await page.getByText("No deals match “cable”.").waitFor();
  await page.getByRole("heading", { name: "Really cheaper today" }).waitFor();
  await assertAccessible(page, "a way on");
  await page.getByRole("link", { name: /^Without Books: / }).click();
  await page.waitForURL("**/?search=cable");
  await page.locator("article").first().waitFor();
});

visit("a deal is saved on the device and forgotten again", async (page) => {
  await page.goto("/");
  const card = page.locator("article").first();
  const title = await card.locator("h2").textContent();
  await card.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Saved deals: 1" }).click();
  await page.getByRole("heading", { name: "Saved deals" }).waitFor();
  const saved = page.locator("article", { hasText: title });
  await saved.getByRole("link", { name: /^Buy It on/ }).waitFor();
  await assertAccessible(page, "saved deals");
  await page.reload();
  await saved.getByRole("button", { name: "Save" }).click();
  await page.getByText("You have not saved a deal yet.").waitFor();
});

for (const [name, viewport] of [
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
]) {
  visit(
    `a misspelt search leads to deals and back to what was typed, on ${name}`,
    async (page) => {
      await page.goto("/");
      const field = page.getByRole("searchbox");
      await field.fill("cabel under 500");
      await field.press("Enter");
      await page.getByText("Nothing found for “cabel under 500”.").waitFor();
      const { meta } = await answer(page, "search=cable&maxPrice=500");
      await page.getByText(`${meta.total} deal`).first().waitFor();
      assert.equal(await page.locator(".cards.few article").count(), meta.total);
      await page.getByRole("heading", { name: "Few deals? Loosen the search" }).waitFor();
      assert.equal(await field.inputValue(), "cabel under 500");
      await assertAccessible(page, "a corrected search with few deals");
      await assertNoSidewaysScroll(page, "a corrected search with few deals");
      await page.getByRole("link", { name: "Remove Up to ₹500" }).click();
      await page.waitForURL("**/?search=cable");
      await page.goBack();
      await page.getByRole("link", { name: "Search only for “cabel under 500”" }).click();
      await page.getByText("No deals match “cabel under 500”.").waitFor();
      await page.reload();
      await page.getByText("No deals match “cabel under 500”.").waitFor();
      await assertAccessible(page, "did you mean");
      await page.getByRole("link", { name: "cable under 500", exact: true }).click();
      await page.waitForURL("**/?search=cable+under+500");
      await page.locator(".cards.few article").first().waitFor();
    },
    { viewport },
  );
}
