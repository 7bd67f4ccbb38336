// Queued messages in the office of a shop whose mail server refuses everybody.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { assertAccessible, assertNoSidewaysScroll, DESKTOP, openOffice, PHONE, visits } from "../browser.mjs";

const visit = visits();

for (const [viewport, colorScheme] of [
  [PHONE, "light"],
  [PHONE, "dark"],
  [DESKTOP, "light"],
  [DESKTOP, "dark"],
]) {
  const size = `${viewport.width} px, ${colorScheme}`;
  visit(
    `a mail that was refused is tried again and dropped by keyboard, ${size}`,
    async (page) => {
      await openOffice(page, "/admin/outgoing");
      await page.getByText("All sent.").waitFor();
      const form = { email: `nobody${viewport.width}${colorScheme}@example.com`, often: "daily" };
      const asked = await page.request.post("/follow", { form, headers: { "sec-fetch-site": "same-origin" } });
      assert.match(asked.url(), /sent=1$/);
      // It takes a moment until the mail server has refused it.
      const failed = async () => (await (await page.request.get("/outgoing?failed=true")).json()).data.length;
      while ((await failed()) === 0) await pause(100);
      await page.goto("/admin/outgoing?failed=1");
      const row = page.getByRole("listitem", { name: "Mail without an account to a visitor" });
      await row.getByText(/Given up/).waitFor();
      await assertAccessible(page, `the list, ${size}`);
      await assertNoSidewaysScroll(page, size);
      await row.getByRole("button", { name: "Try again" }).press("Enter");
      await row.getByText(/^Failed 1 time\./).waitFor();
      const drop = row.getByRole("button", { name: "Drop" });
      await drop.press("Enter");
      await assertAccessible(page, `the question, ${size}`);
      await page.keyboard.press("Escape");
      await drop.press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: "Drop" }).press("Enter");
      await row.waitFor({ state: "detached" });
      await page.goto("/admin/activity");
      await page.getByText("dropped: Mail without an account, to a visitor").first().waitFor();
    },
    { viewport, colorScheme },
  );
}
