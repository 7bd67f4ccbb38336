// Channels in the office: one is added with a preview, tried, posted to from a product's menu, and deleted.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, openOffice, said, SCREENS, visits } from "../browser.mjs";

const visit = visits();

for (const [screen, viewport, colorScheme] of SCREENS) {
  visit(`a channel is added, posted to and deleted on ${screen}`, async (page) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await openOffice(page, "/admin/channels");
    const form = page.getByRole("region", { name: "New channel" });
    await form.getByLabel("Kind").selectOption("Test (not sent)");
    const name = `Loot ${viewport.width}`;
    await form.getByLabel("Name").fill(name);
    const preview = form.getByRole("region", { name: "Preview" });
    await preview.getByText(/^\d+ of 1,024 characters/).waitFor();
    await form.getByText("Write it yourself").click();
    await form.getByLabel("Template").fill("Loot! ");
    await preview.getByText("The template has no {title}.").waitFor();
    await form.getByRole("button", { name: "Title" }).click();
    await form.getByRole("button", { name: "Link", exact: true }).click();
    assert.match(await form.getByLabel("Template").inputValue(), /^Loot! \{title\}\{link\}$/);
    await form.getByLabel("What is posted").selectOption("Also deals by a rule");
    await form.getByLabel("Lowest discount").fill("99");
    await assertAccessible(page, `form, ${screen}`);
    await assertNoSidewaysScroll(page, screen);
    await form.getByRole("button", { name: "Add channel" }).click();
    const row = page.getByRole("listitem", { name, exact: true });
    await row.getByText(/^On · by rule, at most 4 an hour/).waitFor();
    await row.getByRole("button", { name: "Send test" }).click();
    await row.getByRole("status").filter({ hasText: /like this:\s+Loot! .*http/ }).waitFor();

    await page.goto("/admin/products");
    const menu = page.getByRole("button", { name: /^More of / }).first();
    const title = (await menu.getAttribute("aria-label")).replace("More of ", "");
    await menu.click();
    await page.getByRole("menuitem", { name: "Post now" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(`${name} (test)`).waitFor();
    await assertAccessible(page, `dialog, ${screen}`);
    await dialog.getByRole("button", { name: "Post now" }).click();
    await dialog.getByText(`${name}: 1 deal is on the way.`).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();

    await page.goto("/admin/outgoing");
    const posts = page.getByRole("list", { name: `Posts in ${name}` });
    await posts.getByText(/^Posted · .* · by hand$/).waitFor();
    await posts.getByRole("link", { name: title }).waitFor();
    await assertAccessible(page, `posts, ${screen}`);
    await assertNoSidewaysScroll(page, screen);
    await page.getByRole("navigation", { name: "Posts" }).getByRole("link", { name: "Channels" }).click();
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await said(page, `“${name}” is deleted`);
    await row.waitFor({ state: "detached" });
  });
}

for (const [screen, viewport, colorScheme] of SCREENS) {
  visit(`deals are sent by WhatsApp on ${screen}`, async (page, context) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    // A device that shares files.
    await page.addInitScript(() => {
      navigator.canShare = () => true;
      navigator.share = async ({ text, files }) => {
        window.shared = { text, files: files.map(({ name, type, size }) => [name, type, size > 1_000]) };
      };
    });
    await openOffice(page, "/admin/products");
    await page.getByRole("button", { name: /^More of / }).first().click();
    await page.getByRole("menuitem", { name: "Send by WhatsApp" }).click();
    const dialog = page.getByRole("dialog");
    const message = dialog.getByLabel("Message");
    await message.waitFor();
    const text = await message.inputValue();
    assert.match(text, /^\*[^\n]+\*\n₹[\d,.]+ ~₹[\d,]+~ \(−\d+%\)\n[^]*\/details\/\w+\?utm_source=whatsapp$/);
    const link = await dialog.getByRole("link", { name: "Open WhatsApp" }).getAttribute("href");
    assert.equal(link, `https://wa.me/?text=${encodeURIComponent(text)}`);
    await dialog.getByRole("button", { name: "Copy" }).click();
    await dialog.getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
    await dialog.getByRole("button", { name: "Share with its picture" }).click();
    await page.waitForFunction(() => window.shared);
    const shared = await page.evaluate(() => window.shared);
    assert.deepEqual(shared, { text, files: [["deal.png", "image/png", true]] });
    await assertAccessible(page, `message, ${screen}`);
    await assertNoSidewaysScroll(page, screen);
    await dialog.getByRole("button", { name: "Plain text" }).click();
    await page.waitForFunction(() => document.querySelector("textarea")?.value.includes(" instead of ₹"));
    await dialog.getByRole("button", { name: "Close" }).click();

    const boxes = page.getByRole("checkbox", { name: /^Select (?!all)/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole("button", { name: "More for the selected deals" }).click();
    await page.getByRole("menuitem", { name: "Send by WhatsApp" }).click();
    await dialog.getByRole("heading", { name: "Send 2 deals" }).waitFor();
    await message.waitFor();
    assert.equal((await message.inputValue()).match(/\?utm_source=whatsapp/g).length, 2);
  });
}
