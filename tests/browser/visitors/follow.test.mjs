// Mails without an account: asking for them, and what the link in each mail leads to.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, PHONE, setTextSize, SIZES, visits } from "../browser.mjs";
import { linkFor } from "../mails.mjs";

const visit = visits();
const QUESTION = "Do you want mails from Deals?";

/** Asks for the mails of a list; returns the link of the mail that asks. */
async function follow(page, query, email) {
  await page.goto(`/follow?${query}`);
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Mail me new deals" }).press("Enter");
  await page.getByText(/a mail asks you to confirm/).waitFor();
  return linkFor(email, QUESTION);
}

for (const [number, [name, viewport, size, colorScheme]] of SIZES.entries()) {
  visit(
    `somebody follows a list by keyboard on ${name}, ${colorScheme}`,
    async (page) => {
      await setTextSize(page, size);
      const check = async (what) => {
        await assertAccessible(page, `${what}, ${name}`);
        await assertNoSidewaysScroll(page, `${what}, ${name}`);
      };
      await page.goto("/follow?category=Books");
      await check("the form");
      const link = await follow(page, "category=Books", `reader${number}@example.com`);
      await check("asked");
      await page.goto(link);
      await page.getByRole("heading", { name: "Your mails" }).waitFor();
      await page.getByText("Every day · not confirmed").waitFor();
      await check("not confirmed");
      await page.getByRole("button", { name: "Yes, send them" }).press("Enter");
      await page.getByText("Every day", { exact: true }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Yes, send them" }).count(), 0);
      await page.getByRole("button", { name: "Make it weekly" }).press("Enter");
      await page.getByText("Every Monday", { exact: true }).waitFor();
      await check("confirmed");
      await page.getByRole("button", { name: "Stop all mails" }).press("Enter");
      await page.getByText(/^This address gets no mails\./).waitFor();
      await check("ended");
    },
    { viewport, colorScheme },
  );
}

visit(
  "a phone without JavaScript follows two lists and ends one",
  async (page) => {
    const email = "asha@example.com";
    const link = await follow(page, "search=saree&maxPrice=2000", email);
    await follow(page, "category=Books", email);
    await page.goto(link);
    await page.getByRole("button", { name: "Yes, send them" }).click();
    const books = page.getByRole("listitem").filter({ hasText: "Books" });
    await page.getByRole("button", { name: "Remove: “saree”, up to ₹2,000" }).click();
    await page.getByRole("link", { name: /saree/ }).waitFor({ state: "detached" });
    assert.equal(await books.getByText("Every day", { exact: true }).count(), 1);
    await books.getByRole("button", { name: "Remove: Books" }).click();
    await page.getByText(/^This address gets no mails\./).waitFor();
  },
  { javaScriptEnabled: false, viewport: PHONE },
);
