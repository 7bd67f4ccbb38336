// The head of the page while a visitor moves inside the app, compared with the server's.

import assert from "node:assert/strict";
import { visits } from "../browser.mjs";

const visit = visits();

/** Waits until the head says what the server writes for the address, apart from files and styles. */
function followsTheServer(page) {
  return page.waitForFunction(async () => {
    const about = (head) =>
      [...head.querySelectorAll("title, meta, link, script[type='application/ld+json']")]
        .filter(({ rel }) => !["stylesheet", "preload", "modulepreload"].includes(rel))
        .map(({ outerHTML }) => outerHTML)
        .toSorted();
    const answer = await fetch(window.location.href.split("#")[0], { headers: { accept: "text/html" } });
    const served = new DOMParser().parseFromString(await answer.text(), "text/html");
    return JSON.stringify(about(document.head)) === JSON.stringify(about(served.head));
  });
}

const canonical = (page) => page.locator("link[rel=canonical]").getAttribute("href");

visit("title, canonical address, preview and structured data follow every move", async (page) => {
  await page.goto("/");
  await followsTheServer(page);
  const home = await canonical(page);
  const steps = [
    () => page.locator("article h2 a").first().click(),
    () => page.goBack(),
    () => page.getByRole("navigation", { name: "Categories" }).getByRole("link", { name: /^Books/ }).click(),
    () => page.getByRole("link", { name: "Next" }).click(),
    async () => {
      const [word] = (await page.locator("article h2").first().textContent()).split(" ");
      await page.getByRole("searchbox").fill(word);
      await page.getByRole("searchbox").press("Enter");
    },
    () => page.getByLabel("Sort by").selectOption("price"),
    () => page.locator("article h2 a").first().click(),
    () => page.goBack(),
    () => page.goForward(),
  ];
  const seen = [];
  for (const step of steps) {
    const before = page.url();
    await step();
    await page.waitForURL((url) => url.href !== before);
    await followsTheServer(page);
    seen.push((await canonical(page)).replace(home, "/"));
  }
  const [deal, back, category, second, search, sorted, found, again, forward] = seen;
  assert.match(deal, /^\/details\//);
  assert.equal(back, "/");
  assert.equal(category, "/category/books");
  assert.equal(second, "/category/books?page=2");
  assert.match(search, /[?&]search=/);
  assert.equal(sorted, search);
  assert.equal(again, sorted);
  assert.equal(forward, found);
});

visit("a share before the server answers has no head of another page", async (page) => {
  await page.goto("/");
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await page.route("**/details/*", async (route) => {
    await held;
    await route.continue();
  });
  await page.locator("article h2 a").first().click();
  await page.locator("[data-buy]").first().waitFor();
  assert.equal(await page.locator("link[rel=canonical], meta[property], meta[name=description]").count(), 0);
  release();
  await followsTheServer(page);
});

visit("a screen without a public head clears the head of the previous page", async (page) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Saved deals" }).click();
  await page.getByRole("heading", { level: 1, name: "Saved deals" }).waitFor();
  const about = "link[rel=canonical], meta[property], meta[name=description], script[type='application/ld+json']";
  assert.equal(await page.locator(about).count(), 0);
});
