// Tags in the demo shop: suggested in the form, added to many deals and undone, and followed by visitors.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, openOffice, said, SCREENS, visits } from "../browser.mjs";

const visit = visits();

/** Number of live deals with a tag. */
function tagged(page, tag) {
  return page.evaluate(async (tag) => {
    const answer = await fetch(`/product/get-products?${new URLSearchParams({ tag })}`);
    return (await answer.json()).meta.total;
  }, tag);
}

for (const [screen, viewport, colorScheme] of SCREENS) {
  visit(
    `a deal gets tags by the keyboard, and visitors follow one on ${screen}`,
    async (page) => {
      await openOffice(page, "/admin/products?search=hush");
      await page.getByRole("link", { name: /^Ludvane Hush Mouse/ }).first().click();
      const field = page.getByLabel("Tags", { exact: true });
      await field.fill("Monsoon desk, host");
      await page.getByRole("button", { name: "Add the tag hostel" }).waitFor();
      await assertAccessible(page, `form, ${screen}`);
      await assertNoSidewaysScroll(page, `form, ${screen}`);
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: "Add the tag hostel" }).and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Enter");
      await field.and(page.locator(":focus")).waitFor();
      assert.equal(await field.inputValue(), "Monsoon desk, hostel, ");
      assert.equal(await page.getByRole("button", { name: "Add the tag hostel" }).count(), 0);
      await page.getByRole("button", { name: "Update product" }).click();
      await said(page, "Product updated successfully");

      await page.goto("/?search=hush");
      await page.getByRole("link", { name: "View Details" }).first().click();
      const tag = page.getByRole("link", { name: "Monsoon desk", exact: true });
      await tag.waitFor();
      await assertAccessible(page, `details, ${screen}`);
      await tag.click();
      await page.waitForURL("**/?tag=Monsoon+desk");
      await page.getByText("1 deal", { exact: true }).waitFor();
      const chips = page.getByRole("list", { name: "Active filters" });
      await assertAccessible(page, `list of a tag, ${screen}`);
      await assertNoSidewaysScroll(page, `list of a tag, ${screen}`);
      await chips.getByRole("link", { name: "Remove Monsoon desk" }).click();
      await page.getByText("48 deals", { exact: true }).waitFor();
      assert.equal(await chips.count(), 0);

      await page.goto("/admin/products?search=hush");
      await page.getByRole("link", { name: /^Ludvane Hush Mouse/ }).first().click();
      await field.fill("");
      await page.getByRole("button", { name: "Update product" }).click();
      await said(page, "Product updated successfully");
      assert.equal(await tagged(page, "Monsoon desk"), 0);
    },
    { viewport, colorScheme },
  );

  visit(
    `many deals get tags and lose them, and both are undone on ${screen}`,
    async (page) => {
      await page.addInitScript(() => {
        window.setInterval = () => 0;
      });
      await openOffice(page, "/admin/products?category=Books");
      const choose = async (action) => {
        await page.getByText("12 deals", { exact: true }).waitFor();
        await page.locator("tbody").getByRole("checkbox").first().check();
        await page.getByRole("button", { name: "Select all 12" }).click();
        await page.getByRole("button", { name: "More for the selected deals" }).click();
        await page.getByRole("menuitem", { name: action }).click();
      };
      const undo = async () => {
        const answer = page.waitForResponse((it) => it.url().includes("undo") && it.ok());
        await page.getByRole("button", { name: /^Undo/ }).click();
        await answer;
      };
      const before = await tagged(page, "gift");
      await choose("Add tags");
      const added = page.getByLabel("Tags to add");
      await added.and(page.locator(":focus")).waitFor();
      await page.keyboard.type("gi");
      await page.getByRole("button", { name: "Add the tag gift" }).waitFor();
      await assertAccessible(page, `tags to add, ${screen}`);
      await assertNoSidewaysScroll(page, `tags to add, ${screen}`);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await added.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Enter");
      // Some have it.
      await page.getByText(/^\d+ deals: tagged gift\.$/).waitFor();
      const all = await tagged(page, "gift");
      assert.ok(all > before, `${all} after ${before}`);

      await choose("Remove tags");
      await page.getByLabel("Tags to remove").fill("Gift");
      await page.getByRole("button", { name: "Apply", exact: true }).click();
      await page.getByText("12 deals: no longer tagged Gift.").waitFor();
      assert.equal(await tagged(page, "gift"), all - 12);
      await undo();
      assert.equal(await tagged(page, "gift"), all);

      await choose("Remove tags");
      await page.getByLabel("Tags to remove").fill("gift");
      await page.keyboard.press("Enter");
      await page.getByText("12 deals: no longer tagged gift.").waitFor();
      await choose("Add tags");
      await page.getByLabel("Tags to add").fill("gift, reading");
      await page.keyboard.press("Enter");
      await page.getByText("12 deals: tagged gift, reading.").waitFor();
      await undo();
      assert.equal(await tagged(page, "reading"), 0);
    },
    { viewport, colorScheme },
  );
}
