// Webhooks in the office: made, tested, switched off and deleted.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import {
  assertAccessible,
  assertNoSidewaysScroll,
  DESKTOP,
  openOffice,
  PHONE,
  said,
  visits,
} from "../browser.mjs";

const visit = visits();

/** Answers each request with a status, and keeps its headers. */
function receiver(status) {
  const received = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    response.writeHead(status).end();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ server, received, port: server.address().port }));
  });
}

for (const [viewport, colorScheme] of [
  [{ width: 320, height: 640 }, "light"],
  [PHONE, "dark"],
  [DESKTOP, "light"],
]) {
  const size = `${viewport.width} px, ${colorScheme}`;
  visit(`a webhook is made, tested and deleted, ${size}`, async (page) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const { server, received, port } = await receiver(500);
    try {
      await openOffice(page, "/admin/webhooks");
      const url = `http://127.0.0.1:${port}/${viewport.width}-${colorScheme}`;
      await page.getByLabel("Address").fill(url);
      await page.getByLabel(/product\.added/).check();
      await page.getByRole("button", { name: "Make webhook" }).click();
      const secret = await page.getByText(/^whsec_/).textContent();
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      await assertAccessible(page, `made, ${size}`);
      await page.getByRole("button", { name: "Done" }).click();
      assert.equal(await page.getByText(/^whsec_/).count(), 0);

      const row = page.getByRole("listitem", { name: url, exact: true });
      await row.getByRole("button", { name: "Send test" }).click();
      await row.getByText(/^Last error: .* It answered with status 500\.$/).waitFor();
      assert.match(received[0]["webhook-signature"], /^v1,/);
      await assertAccessible(page, `tested, ${size}`);
      await assertNoSidewaysScroll(page, size);

      await row.getByRole("button", { name: "Switch off" }).click();
      await row.getByText("Off", { exact: true }).waitFor();
      await row.getByRole("button", { name: "Delete" }).click();
      await assertAccessible(page, `question, ${size}`);
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await said(page, "The webhook is deleted");
      await row.waitFor({ state: "detached" });
    } finally {
      server.close();
    }
  });
}
