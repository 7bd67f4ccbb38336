// The queue in the office: ordered by keys and by dragging, paused, left and entered by a draft.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, openOffice, said, SCREENS, visits } from "../browser.mjs";

const visit = visits();

function rowsOf(page) {
  return page.getByRole("list", { name: "Drafts in their order" }).locator("> li");
}

/** Titles of the drafts in their order. */
function order(page) {
  return rowsOf(page).locator(".clamp-2").allTextContents();
}

for (const [screen, viewport, colorScheme] of SCREENS) {
  visit(`the queue is ordered and paused on ${screen}`, async (page) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await openOffice(page, "/admin/queue");
    const rows = rowsOf(page);
    await rows.nth(3).waitFor();
    const [first, second, third, fourth] = await order(page);
    await rows.nth(0).getByText(/^next at \d\d:\d\d|^next at \d+ \w+ \d\d:\d\d/).waitFor();
    await assertAccessible(page, `queue, ${screen}`);
    await assertNoSidewaysScroll(page, screen);

    // By the keyboard alone, to the end.
    const down = rows.nth(0).getByRole("button", { name: /^Move .* down$/ });
    const saved = () => page.waitForResponse((it) => it.request().method() === "PUT" && it.ok());
    await down.focus();
    for (const expected of [
      [second, first, third, fourth],
      [second, third, first, fourth],
    ]) {
      const answer = saved();
      await page.keyboard.press("Enter");
      await answer;
      assert.deepEqual(await order(page), expected);
    }
    const focused = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    assert.match(focused, /^Move .* down$/);
    // The times stay where they are.
    await rows.nth(0).getByText(/^next at /).waitFor();
    const dropped = saved();
    await rows.nth(2).locator("[draggable]").dragTo(rows.nth(0));
    await dropped;
    const ordered = [first, second, third, fourth];
    assert.deepEqual(await order(page), ordered);
    await page.reload();
    await rows.nth(3).waitFor();
    assert.deepEqual(await order(page), ordered);

    await page.getByRole("button", { name: "Pause" }).click();
    await said(page, "Queue paused");
    await rows.nth(0).getByText(/^paused/).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await said(page, "Queue continued");

    await rows.nth(3).getByRole("button", { name: /^Remove / }).click();
    await rows.nth(3).waitFor({ state: "detached" });
    await page.goto("/admin/products?state=draft");
    await page.getByRole("button", { name: `More of ${fourth}` }).click();
    await page.getByRole("menuitem", { name: "Add to queue" }).click();
    await said(page, "In the queue.");
    await page.goto("/admin/queue");
    await rows.nth(3).waitFor();
    assert.deepEqual(await order(page), ordered);
  });
}
