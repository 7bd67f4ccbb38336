// The owner's daily work on a phone, counted in taps and keys from the first page of the office.

import assert from "node:assert/strict";
import {
  assertAccessible,
  assertNoSidewaysScroll,
  openOffice,
  PHONE,
  said,
  settled,
  visits,
} from "../browser.mjs";

const visit = visits();
const OPTIONS = { viewport: PHONE, hasTouch: true, isMobile: true };

/** Opens the first page and counts from there on. */
async function openToday(page) {
  await page.addInitScript(() => {
    window.setInterval = () => 0;
    window.counted = { taps: 0, enters: 0, keys: 0 };
    window.addEventListener("pointerdown", () => (window.counted.taps += 1), true);
    window.addEventListener("keydown", ({ key }) => (window.counted[key === "Enter" ? "enters" : "keys"] += 1), true);
  });
  await openOffice(page, "/admin");
  await todo(page).getByRole("listitem").nth(1).waitFor();
}

function counted(page) {
  return page.evaluate(() => window.counted);
}

function todo(page) {
  return page.getByRole("region", { name: "To do" });
}

/** The menu, which is the last button of a row, names its deal. */
function dealsToDo(page) {
  return todo(page).getByRole("button", { name: /^More of / }).evaluateAll((menus) =>
    menus.map((menu) => menu.getAttribute("aria-label").replace("More of ", "")),
  );
}

visit("three deals that need a look are on the first screen, without a tap", async (page) => {
  await openToday(page);
  const deals = await dealsToDo(page);
  assert.equal(deals.length, 3);
  await settled(page);
  const seen = await page.evaluate(() => {
    const edge = document.querySelector(".bottom-bar").getBoundingClientRect().top;
    return [...document.querySelectorAll(".deal-row")].map((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= edge;
    });
  });
  assert.deepEqual(seen, [true, true, true]);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `to do in the ${colorScheme}`);
  }
  await assertNoSidewaysScroll(page, "to do");
  assert.deepEqual(await counted(page), { taps: 0, enters: 0, keys: 0 });
}, OPTIONS);

visit("one tap confirms that a price still holds", async (page) => {
  await openToday(page);
  const [deal] = await dealsToDo(page);
  const still = todo(page).getByRole("button", { name: /^Still ₹/ }).first();
  assert.match(await still.getAttribute("aria-label"), new RegExp(`^Still ₹[\\d,]+(\\.\\d\\d)?: ${deal}$`));
  await still.tap();
  await page.waitForFunction((deal) => ![...document.querySelectorAll(".deal-row")].some((row) => row.textContent.includes(deal)), deal);
  assert.deepEqual(await counted(page), { taps: 1, enters: 0, keys: 0 });
  await page.reload();
  await todo(page).getByRole("listitem").nth(1).waitFor();
  assert.equal((await dealsToDo(page)).includes(deal), false);
}, OPTIONS);

visit("any deal's final price is changed by three taps, the search and the digits, and taken back", async (page) => {
  await openToday(page);
  await page.getByRole("searchbox", { name: "Find a deal" }).tap();
  await page.keyboard.type("kettle");
  const row = page.getByRole("search").getByRole("listitem").filter({ hasText: "Kettle" });
  await row.getByRole("button", { name: /^Final price of .*₹1,080.00\. Change/ }).tap();
  await page.keyboard.type("999");
  await assertNoSidewaysScroll(page, "a price that is changed");
  await page.keyboard.press("Enter");
  await row.getByText("₹999.00").waitFor();
  const { taps, enters, keys } = await counted(page);
  assert.ok(taps + enters <= 3, `${taps} taps and ${enters} times Enter`);
  assert.equal(keys, "kettle".length + "999".length);
  await assertAccessible(page, "a price that was changed");
  await page.getByRole("button", { name: /^Undo/ }).tap();
  await said(page, "Undone");
  await row.getByText("₹1,080.00").waitFor();
}, OPTIONS);

visit("a price of the list to do is changed by two taps and the digits", async (page) => {
  await openToday(page);
  const [deal] = await dealsToDo(page);
  const price = todo(page).getByRole("button", { name: new RegExp(`^Final price of ${deal}`) });
  const [, rupees] = /: ₹([\d,]+)\.\d\d\. Change$/.exec(await price.getAttribute("aria-label"));
  const lower = String(Number(rupees.replaceAll(",", "")) - 1);
  await price.tap();
  await page.keyboard.type(lower);
  await page.keyboard.press("Enter");
  const text = `→ ₹${Number(lower).toLocaleString("en-IN")}.00.`;
  await page.getByText(/^Final price of “.*”: ₹/).filter({ hasText: text }).waitFor();
  assert.deepEqual(await counted(page), { taps: 1, enters: 1, keys: lower.length });
  await page.getByRole("button", { name: /^Undo/ }).tap();
  await said(page, "Undone");
}, OPTIONS);

visit("a deal is ended by three taps and the search, and comes back", async (page) => {
  await openToday(page);
  await page.getByRole("searchbox", { name: "Find a deal" }).tap();
  await page.keyboard.type("hush");
  const more = page.getByRole("button", { name: "More of Ludvane Hush Mouse" });
  await more.tap();
  await page.getByRole("menuitem", { name: "End now" }).tap();
  await page.getByText("“Ludvane Hush Mouse” has ended.").waitFor();
  const { taps, enters, keys } = await counted(page);
  assert.ok(taps + enters <= 3, `${taps} taps and ${enters} times Enter`);
  assert.equal(keys, "hush".length);
  await more.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Undo/ }).tap();
  await more.waitFor();
}, OPTIONS);

visit("one tap extends a deal that ends today or tomorrow, and another takes it back", async (page) => {
  await openToday(page);
  const extend = todo(page).getByRole("button", { name: /^Extend to / }).first();
  await extend.tap();
  await page.getByText(/^“.*” ends on \d+ \w+( \d+)? instead of .*\.$/).waitFor();
  assert.deepEqual(await counted(page), { taps: 1, enters: 0, keys: 0 });
  await page.getByRole("button", { name: /^Undo/ }).tap();
  await said(page, "Undone");
}, OPTIONS);

visit("a report begins with its sums, and no word of it is cut or lies over another", async (page) => {
  await openOffice(page, "/admin/reports");
  await page.locator(".report tbody tr").first().waitFor();
  await page.locator(".plot > :nth-child(4) span").first().waitFor();
  const top = (selector) => page.locator(selector).first().evaluate((part) => part.getBoundingClientRect().top);
  assert.ok((await top(".figures")) < (await top(".plot > :nth-child(4)")), "the sums stand below the plot");
  const days = await page.locator(".plot > :nth-child(4) span").evaluateAll((spans) =>
    spans.map((span) => span.getBoundingClientRect()).map(({ left, right }) => [left, right]),
  );
  days.slice(1).forEach(([left], before) => assert.ok(left > days[before][1], `day ${before + 1} lies over another`));
  const counted = page.getByRole("columnheader", { name: "Clicks", exact: true });
  const lines = await counted.evaluate((heading) => {
    const range = document.createRange();
    range.selectNodeContents(heading);
    return range.getClientRects().length;
  });
  assert.equal(lines, 1);
}, OPTIONS);

visit("a price is edited on a phone in a large field, with buttons to save and cancel", async (page) => {
  await openOffice(page, "/admin/products");
  const price = page.getByRole("button", { name: /^Final price of / }).first();
  const before = await price.getAttribute("aria-label");
  await price.tap();
  const field = page.getByRole("textbox", { name: /^Final price of / });
  const [save, cancel] = ["Save", "Cancel"].map((name) => page.getByRole("button", { name: `${name}: Final price of` }));
  for (const part of [field, save, cancel]) {
    const { height, x, width } = await part.boundingBox();
    assert.ok(height >= 44 && x >= 0 && x + width <= PHONE.width, `${height} px high, to ${x + width} px`);
  }
  // Phones zoom into fields with smaller text.
  assert.ok((await field.evaluate((input) => Number.parseFloat(getComputedStyle(input).fontSize))) >= 16);
  await assertNoSidewaysScroll(page, "a price that is edited");
  await assertAccessible(page, "a price that is edited");
  await field.fill("1");
  await cancel.tap();
  assert.equal(await price.getAttribute("aria-label"), before);
}, OPTIONS);

visit("on a phone, a deal to check has its button beside the date, and a seller labels beside its values", async (page) => {
  await openOffice(page, "/admin/products?view=ending");
  const button = page.getByRole("button", { name: /^Extend to / }).first();
  const date = page.locator("tbody time.dot").first();
  const [{ y, height }, { y: top }] = [await button.boundingBox(), await date.boundingBox()];
  assert.ok(top > y && top < y + height, "date and button share a line");
  assert.ok(height <= 48, "the button's words have one line");
  await page.goto("/admin/sources");
  const tag = page.getByRole("button", { name: /^Tag of Amazon/ });
  await tag.waitFor();
  const label = await tag.evaluate((value) => getComputedStyle(value.closest("td"), "::before").content);
  assert.equal(label, '"Your affiliate tag"');
  await assertNoSidewaysScroll(page, "sellers on a phone");
  await assertAccessible(page, "sellers on a phone");
}, OPTIONS);
