// Collections in the office: one by a rule, one of chosen deals in an order, their pages, and deleting them.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, openOffice, said, SCREENS, settled, visits } from "../browser.mjs";

const visit = visits();

/** Titles of the cards of a list in their order. */
function titles(page) {
  return page.locator(".cards").first().locator("article h2").allTextContents();
}

async function checked(page, what) {
  await settled(page);
  await assertAccessible(page, what);
  await assertNoSidewaysScroll(page, what);
}

for (const [screen, viewport, colorScheme] of SCREENS) {
  visit(
    `a collection is made by a rule, shown and deleted on ${screen}`,
    async (page) => {
      await openOffice(page, "/admin/collections");
      const form = page.getByRole("region", { name: "New collection" });
      await form.getByRole("button", { name: "Add collection" }).click();
      await form.getByLabel("Name").and(page.locator("[aria-invalid=true]")).waitFor();
      await form.getByLabel("Name").fill("Hostel under 1,000");
      await form.locator("summary", { hasText: "More" }).click();
      await form.getByLabel("Text").fill("What a room **needs**.");
      await form.getByRole("button", { name: "Add the tag hostel" }).click();
      await form.getByLabel("Tags").and(page.locator(":focus")).waitFor();
      await form.getByLabel("Highest price").fill("1000");
      const { meta } = await page.evaluate(async () =>
        (await fetch("/product/get-products?tag=hostel&maxPrice=1000")).json(),
      );
      assert.ok(meta.total > 1);
      await form.getByText(`${meta.total} deals now`).waitFor();
      await checked(page, `form of a rule, ${screen}`);
      await form.getByRole("button", { name: "Add collection" }).click();
      await said(page, "“Hostel under 1,000” is added");
      await page.locator("li:focus", { hasText: "Hostel under 1,000" }).waitFor();
      const row = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Delete Hostel under 1,000" }) });
      await row.getByText(`${meta.total} deal`).waitFor();

      await row.getByRole("link", { name: "Hostel under 1,000" }).click();
      await page.getByRole("heading", { level: 1, name: "Hostel under 1,000" }).waitFor();
      await page.getByText("What a room needs.").waitFor();
      await page.getByText(`${meta.total} deal`).first().waitFor();
      await checked(page, `page of a rule, ${screen}`);

      await page.goto("/admin/collections");
      await row.getByRole("button", { name: "Delete Hostel under 1,000" }).click();
      const question = page.getByRole("dialog", { name: "Delete “Hostel under 1,000”?" });
      await assertAccessible(page, `question, ${screen}`);
      await page.keyboard.press("Escape");
      await question.waitFor({ state: "hidden" });
      await row.getByRole("button", { name: "Delete Hostel under 1,000" }).click();
      await question.getByRole("button", { name: "Delete" }).click();
      await said(page, "“Hostel under 1,000” is deleted");
      await row.waitFor({ state: "detached" });
      assert.equal((await page.request.get("/collection/hostel-under-1-000")).status(), 404);
    },
    { viewport, colorScheme },
  );

  visit(
    `chosen deals are ordered by keys and by dragging on ${screen}, and the page follows`,
    async (page) => {
      await openOffice(page, "/admin/collections");
      const region = page.getByRole("region", { name: "New collection" });
      await region.getByLabel("Name").fill("Three of mine");
      await region.locator("summary", { hasText: "More" }).click();
      await region.getByLabel("Address", { exact: true }).fill("mine");
      await region.getByLabel("Deals", { exact: true }).selectOption("Chosen one by one");
      const chosen = async (form) => form.getByRole("list", { name: "Chosen deals in their order" }).locator("li > .min-w-0").allTextContents();
      for (const [words, title] of [["hush", "Mouse"], ["sourdough", "Bread"], ["planter", "Planter"]]) {
        await region.getByLabel("Find deals to add").fill(words);
        await region.getByRole("button", { name: new RegExp(`^Add .*${title}`) }).first().press("Enter");
        await region.getByLabel("Find deals to add").and(page.locator(":focus")).waitFor();
      }
      await checked(page, `form of chosen deals, ${screen}`);
      const [mouse, bread, planter] = await chosen(region);
      assert.match(mouse, /Mouse/);
      // By the keyboard alone, to the end.
      const down = region.getByRole("button", { name: `Move ${mouse} down` });
      await down.focus();
      await page.keyboard.press("Enter");
      await down.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Enter");
      await region.getByRole("button", { name: `Move ${mouse} up` }).and(page.locator(":focus")).waitFor();
      assert.deepEqual(await chosen(region), [bread, planter, mouse]);
      await region.getByRole("button", { name: "Add collection" }).click();
      await said(page, "“Three of mine” is added");

      await page.goto("/collection/mine");
      await page.getByRole("heading", { level: 1, name: "Three of mine" }).waitFor();
      assert.deepEqual(await titles(page), [bread, planter, mouse]);
      await checked(page, `page of chosen deals, ${screen}`);

      await page.goto("/admin/collections");
      await page.getByRole("button", { name: "Change Three of mine" }).click();
      const form = page.getByRole("region", { name: "All collections" });
      const rows = form.getByRole("list", { name: "Chosen deals in their order" }).locator("> li");
      await rows.getByText(mouse).waitFor();
      await rows.nth(2).locator("[draggable]").dragTo(rows.nth(0));
      assert.deepEqual(await chosen(form), [mouse, bread, planter]);
      await form.getByRole("button", { name: `Remove ${bread}` }).click();
      await form.getByLabel("Find deals to add").and(page.locator(":focus")).waitFor();
      await checked(page, `changing chosen deals, ${screen}`);
      await form.getByRole("button", { name: "Save" }).click();
      await said(page, "“Three of mine” is changed");
      await page.goto("/collection/mine");
      assert.deepEqual(await titles(page), [mouse, planter]);

      await page.goto("/admin/collections");
      await page.getByRole("button", { name: "Delete Three of mine" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await said(page, "“Three of mine” is deleted");
    },
    { viewport, colorScheme },
  );
}
