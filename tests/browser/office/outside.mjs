// What owners bring from outside: texts that shops' apps share, pages on which they press the bookmark.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** Texts of five shops' apps, each with the title and the seller in it. */
export const TEXTS = [
  [
    "Check this out! Kavrel AirBud 141 Bluetooth TWS Earbuds (Bold Black) https://amzn.in/d/0aBcD3f",
    "Kavrel AirBud 141 Bluetooth TWS Earbuds (Bold Black)",
    "Amazon",
  ],
  [
    "Take a look at this Kavrel Pulse 2 Max 1.85'' Display Smartwatch on Flipkart\nhttps://dl.flipkart.com/s/CWeFtWuuuN",
    "Kavrel Pulse 2 Max 1.85'' Display Smartwatch",
    "Flipkart",
  ],
  [
    "Look what I found on Myntra! Neelvasa Men Black Round Neck T-shirt at Rs. 399 (MRP Rs. 999). https://www.myntra.com/tshirts/neelvasa/1996777/buy",
    "Neelvasa Men Black Round Neck T-shirt",
    "Myntra",
  ],
  [
    "Check out this amazing product on Meesho!\n*Trendy Rayon Printed Kurti*\nPrice: ₹349\nhttps://www.meesho.com/s/p/4x9abc",
    "Trendy Rayon Printed Kurti",
    "Meesho",
  ],
  [
    "Hey! I found this on AJIO: Neelvasa Slim Fit Checked Shirt at ₹1,499, get extra ₹200 off. https://ajio.page.link/Xy12Z",
    "Neelvasa Slim Fit Checked Shirt",
    "Ajio",
  ],
];

/** A policy as strict as any shop's: the bookmark must need nothing of the page. */
const STRICT =
  "default-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'";

/** Returns the bookmark as the capture screen offers it, to drag and to copy. */
export async function bookmarkOf(page) {
  await page.goto("/admin/capture");
  await page.getByText("Where it can't be dragged").click();
  const script = await page.getByRole("textbox", { name: "Code of the bookmark" }).inputValue();
  assert.equal(await page.locator('a[href^="javascript:"]').getAttribute("href"), script);
  return script;
}

/** Opens a saved page of the fixtures at its shop's address, in a tab of its own. */
export async function openSaved(context, file, address) {
  const shop = await context.newPage();
  shop.asked = [];
  shop.on("request", (request) => shop.asked.push(request.url()));
  await shop.route(
    (url) => url.pathname === new URL(address).pathname,
    (route) =>
      route.fulfill({
        contentType: "text/html",
        headers: { "content-security-policy": STRICT },
        body: readFileSync(new URL(`../../fixtures/capture/${file}`, import.meta.url), "utf8"),
      }),
  );
  await shop.goto(address);
  return shop;
}

/** Presses a bookmark: browsers open its address by themselves, past the page's policy. */
export async function press(context, shop, script) {
  const before = shop.asked.length;
  const browser = await context.newCDPSession(shop);
  await browser.send("Page.navigate", { url: script });
  await browser.detach();
  assert.deepEqual(shop.asked.slice(before), [], "the bookmark asked for something");
}

/** Presses the bookmark on a saved page; returns the form's tab. */
export async function capture(context, script, file, address) {
  const shop = await openSaved(context, file, address);
  const opened = context.waitForEvent("page");
  await press(context, shop, script);
  const form = await opened;
  await form.getByRole("heading", { level: 1, name: "Add product" }).waitFor();
  await shop.close();
  return form;
}

/** Counts what a thumb presses, and the fields that are typed into. */
export function thumb() {
  const hand = {
    taps: 0,
    typed: 0,
    async tap(target) {
      hand.taps += 1;
      await target.tap();
    },
    /** Chooses from a list, which opens over the page. */
    async choose(target, option) {
      await hand.tap(target);
      hand.taps += 1;
      await target.selectOption(option);
    },
    async type(target, text) {
      await hand.tap(target);
      hand.typed += 1;
      await target.fill(text);
    },
  };
  return hand;
}
