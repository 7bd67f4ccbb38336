// A deal's page in the demo shop: price and Buy at first sight, the past of a price, pictures.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, DESKTOP, PHONE, said, visits } from "../browser.mjs";

const visit = visits();

/** Returns the deals of the demo shop with their details. */
async function deals(page, query) {
  const answer = await page.request.get(`/product/get-products?limit=100&${query}`);
  return (await answer.json()).data;
}

/** Sizes of a first screen. */
const FIRST_SCREENS = [
  { width: 320, height: 600 },
  { width: 360, height: 640 },
  PHONE,
  { width: 768, height: 1024 },
  { width: 1280, height: 600 },
];

/** Fails unless an element is on the screen as a whole, and nothing covers it. */
async function assertInSight(locator, what) {
  const found = await locator.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return {
      inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
      free: over === element || element.contains(over) || over?.contains(element),
      box: [left, top, right, bottom],
    };
  });
  assert.ok(found.inside && found.free, `${what}: ${JSON.stringify(found)}`);
}

visit("price and Buy are on the first screen, also with text of twice the size", async (page) => {
  const found = await deals(page, "sortBy=price");
  // The highest price, and the longest title.
  const longest = found.toSorted((a, b) => b.title.length - a.title.length)[0];
  for (const { _id } of [found[0], longest]) {
    for (const size of FIRST_SCREENS) {
      await page.setViewportSize(size);
      await page.goto(`/details/${_id}`);
      const name = `${size.width}×${size.height}`;
      const isBar = size.width < 1024;
      const price = page.locator(isBar ? ".buy-bar > p" : ".price-large > span").first();
      await assertInSight(price, `price, ${name}`);
      await assertInSight(page.locator("[data-buy]"), `Buy, ${name}`);
      if (isBar) {
        await page.evaluate(() => {
          document.documentElement.style.fontSize = "200%";
        });
        await assertInSight(price, `price, ${name}, 200 %`);
        await assertInSight(page.locator("[data-buy]"), `Buy, ${name}, 200 %`);
        await assertNoSidewaysScroll(page, `${name}, 200 %`);
        const cut = await page.locator("[data-buy]").evaluate((buy) => buy.scrollWidth - buy.clientWidth);
        assert.ok(cut <= 0, `${name}: Buy is cut by ${cut} px`);
      }
    }
  }
});

visit("the price in the page is on the first screen of a small phone", async (page) => {
  const [{ _id }] = await deals(page, "search=airbud");
  for (const size of FIRST_SCREENS.slice(0, 3)) {
    await page.setViewportSize(size);
    await page.goto(`/details/${_id}`);
    await assertInSight(page.locator(".price-large > span"), `${size.width}×${size.height}`);
  }
});

visit("one bar is at the bottom of a phone: price, verdict and Buy in one line", async (page) => {
  await page.setViewportSize(PHONE);
  const [{ _id }] = await deals(page, "search=airbud");
  await page.goto(`/details/${_id}`);
  const bar = page.locator(".buy-bar");
  await bar.getByText("₹810.00").waitFor();
  await bar.getByText(/^Lowest since \d+ [A-Z][a-z]{2}$/).waitFor();
  assert.equal(await page.locator(".bottom-bar").isVisible(), false);
  const { height, width } = await bar.boundingBox();
  assert.ok(height < 80, `${height} px`);
  const buy = await bar.getByRole("link", { name: /^Buy It on Flipkart.*Kavrel/ }).boundingBox();
  assert.ok(buy.width > width / 2, `${buy.width} px`);
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await page.locator(".bottom-bar").waitFor();
});

visit("badge, sentence, figures and plot of a price agree", async (page) => {
  const [{ _id }] = await deals(page, "search=airbud");
  await page.goto("/?search=airbud");
  await page.locator(".floor", { hasText: /Lowest since \d+ [A-Z][a-z]{2}/ }).waitFor();
  await page.goto(`/details/${_id}`);
  await page.getByText(/^Usually ₹980\. ₹170 less today, the lowest since \d+ [A-Z][a-z]{2}\.$/).waitFor();
  await page.locator(".plate").getByText(/^Watched since \d+ [A-Z][a-z]{2}\.$/).waitFor();
  const panel = page.locator(".history");
  const figures = await panel.locator("dl div").allTextContents();
  assert.equal(figures.length, 3);
  assert.match(figures[0], /^Lowest before \d+ [A-Z][a-z]{2}₹980$/);
  assert.deepEqual(figures.slice(1), ["Usual price₹980", "Less than usual₹170"]);
  await panel.getByText(/^Lowest ₹810 today · Watched since \d+ [A-Z][a-z]{2}$/).waitFor();
  const plot = panel.getByRole("slider", { name: "What it cost before" });
  await plot.hover({ position: { x: 3, y: 20 } });
  await panel.getByText(/^\d+ [A-Z][a-z]{2} to \d+ [A-Z][a-z]{2}: ₹980$/).waitFor();
  await plot.press("End");
  await panel.getByText(/^Since \d+ [A-Z][a-z]{2}: ₹810$/).waitFor();
  await assertAccessible(page, "a plot that is read");
  await panel.getByText("today", { exact: true }).waitFor();
});

visit("the page of a deleted deal names it and shows deals like it", async (page) => {
  const failure = page.getByText("Failed to load product details. Please try again later.");
  for (const size of [FIRST_SCREENS[0], PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    await page.goto("/details/gone");
    await page.getByText("Product not found.", { exact: true }).waitFor();
    await page.getByText(/^“.+” from .+ was removed from the shop on \d+ \w+ \d{4}\.$/).waitFor();
    await page.getByRole("heading", { name: "More like this" }).waitFor();
    await assertAccessible(page, `a deleted deal, ${size.width}`);
    await assertNoSidewaysScroll(page, `a deleted deal, ${size.width}`);
    assert.equal(await failure.count(), 0);
  }
  await page.locator(".strip a").first().click();
  await page.locator("[data-buy]").first().waitFor();
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await page.getByText(/ was removed from the shop on /).waitFor();
});

visit("an enlarged picture leads to the others by buttons and arrow keys", async (page) => {
  const found = (await deals(page, "sortBy=price")).find(({ images }) => images.length > 1);
  const count = found.images.length;
  await page.goto(`/details/${found._id}`);
  await page.getByRole("button", { name: "Enlarge" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Picture" });
  const shows = (n) => dialog.getByText(`${n} / ${count}`).waitFor();
  await shows(1);
  await assertAccessible(page, "an enlarged picture");
  await page.keyboard.press("ArrowRight");
  await shows(2);
  assert.ok((await dialog.locator("img").getAttribute("src")).endsWith(found.images[1]));
  await page.keyboard.press("ArrowLeft");
  await shows(1);
  await page.keyboard.press("ArrowLeft");
  await shows(count);
  await dialog.getByRole("button", { name: "Next picture" }).click();
  await shows(1);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Enlarge");
});

visit("a toast covers neither the price nor the button", async (page, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "share"));
  const [{ _id }] = await deals(page, "search=airbud");
  for (const size of [FIRST_SCREENS[0], PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    await page.goto(`/details/${_id}`);
    await page.getByRole("button", { name: "Share" }).click();
    await said(page, "Link copied");
    await page.evaluate(() => window.scrollTo(0, 0));
    await assertInSight(page.locator(".price-large > span"), `price, ${size.width}`);
    await assertInSight(page.locator("[data-buy]"), `Buy, ${size.width}`);
  }
});

visit("the search opens on the deal's own page", async (page) => {
  await page.setViewportSize(PHONE);
  const [{ _id }] = await deals(page, "search=airbud");
  await page.goto(`/details/${_id}`);
  await page.getByRole("link", { name: "Search" }).click();
  assert.equal(new URL(page.url()).pathname, `/details/${_id}`);
  const field = page.getByRole("searchbox");
  await page.waitForFunction(() => document.activeElement?.type === "search");
  await field.fill("kettle");
  await field.press("Enter");
  await page.waitForURL("**/?search=kettle");
});
