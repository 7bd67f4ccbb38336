// The save bar of the office's forms.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, DESKTOP, openOffice, PHONE, said, visits } from "../browser.mjs";

const visit = visits();

/** Fails unless the save bar is in sight and above the tabs. */
async function assertBarInSight(page, what) {
  const { bottom, top, edge } = await page.evaluate(() => {
    const { top, bottom } = document.querySelector(".save-bar").getBoundingClientRect();
    const tabs = document.querySelector(".bottom-bar").getBoundingClientRect();
    return { top, bottom, edge: tabs.height === 0 ? innerHeight : tabs.top };
  });
  assert.ok(top > 0 && bottom <= edge, `${what}: ${top} to ${bottom} of ${edge}`);
}

for (const viewport of [PHONE, DESKTOP]) {
  visit(`the save bar of a form is in sight at ${viewport.width} px and covers no field`, async (page) => {
    await openOffice(page, "/admin/products?search=kettle");
    await page.getByRole("row", { name: /Kettle/ }).getByRole("link").first().click();
    const title = page.getByLabel("Title");
    await title.fill("A kettle that boils");
    await page.getByText("Unsaved changes").waitFor();
    await assertBarInSight(page, "at the top");
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page, `the save bar in the ${colorScheme}`);
    }
    const covered = [];
    await title.focus();
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      const place = await page.evaluate(() => {
        const { activeElement } = document;
        const bar = document.querySelector(".save-bar");
        const { bottom } = activeElement.getBoundingClientRect();
        const name = activeElement.name || activeElement.textContent;
        return { inside: bar.contains(activeElement), covered: bottom > bar.getBoundingClientRect().top, name };
      });
      if (place.inside) break;
      if (place.covered) covered.push(place.name);
    }
    assert.deepEqual(covered, []);
    await page.getByRole("button", { name: "Discard", exact: true }).and(page.locator(":focus")).waitFor();
    await assertBarInSight(page, "at the end");
    await assertNoSidewaysScroll(page, "the save bar");
    await page.keyboard.press("Enter");
    await page.getByText("Changes discarded").waitFor();
    assert.match(await title.inputValue(), /Kettle/);
    await page.getByRole("button", { name: "Undo" }).and(page.locator(":focus")).press("Enter");
    assert.equal(await title.inputValue(), "A kettle that boils");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.getByText("Changes discarded").waitFor();
  }, { viewport });
}

visit("a section of the settings is saved by its own button, and by Enter", async (page) => {
  await openOffice(page, "/admin/settings");
  const tagline = page.getByLabel("Tagline");
  const before = await tagline.inputValue();
  await tagline.fill("Prices that are checked");
  await page.getByText("Not saved yet").waitFor();
  await page.getByRole("link", { name: "Mail", exact: true }).click();
  await page.getByRole("heading", { name: "Mail", exact: true }).waitFor();
  assert.equal(new URL(page.url()).hash, "#mail");
  await page.getByRole("link", { name: "Name and contact" }).click();
  await page.getByRole("button", { name: "Save name and contact" }).click();
  await said(page, "Settings saved");
  await page.getByText("Not saved yet").waitFor({ state: "detached" });
  await tagline.fill(before);
  await tagline.press("Enter");
  await page.getByText("Not saved yet").waitFor({ state: "detached" });
  assert.equal(await tagline.inputValue(), before);
  for (const id of ["shop", "look", "pages", "search", "mail", "subscribers", "backups", "server"]) {
    await page.goto(`/admin/settings#${id}`);
    await page.locator(`main nav a[aria-current][href$="#${id}"]`).waitFor();
    await assertAccessible(page, id);
    await assertNoSidewaysScroll(page, id);
  }
}, { viewport: PHONE });

visit("a save that is refused ends and says so, whatever the reason", async (page) => {
  await openOffice(page, "/admin/products?search=kettle");
  await page.getByRole("row", { name: /Kettle/ }).getByRole("link").first().click();
  const price = page.getByLabel("Price", { exact: true });
  const save = page.getByRole("button", { name: "Update product" });
  const refuse = (status, error) => (route) => route.fulfill({ status, json: { error, code: "not_allowed" } });
  for (const [number, answer] of [
    (route) => route.abort(),
    (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }),
    refuse(403, "Only staff may do this."),
    refuse(429, "Too many requests."),
  ].entries()) {
    await page.route("**/product/update-product/*", answer);
    await price.fill(String(2000 + number));
    await save.click();
    await said(page, "Failed to update product");
    await save.and(page.locator(":enabled")).waitFor();
    await page.unroute("**/product/update-product/*");
  }
  await save.click();
  await said(page, "Product updated successfully");
});
