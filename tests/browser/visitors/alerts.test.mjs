// Price alerts in the demo shop: the form, and the message on the device.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, setTextSize, SHOP, SIZES, visits } from "../browser.mjs";

const visit = visits();

/** Returns the id of a deal whose price can be watched. */
async function watched(page) {
  const answer = await page.request.get("/product/get-products?source=Flipkart&limit=1");
  return (await answer.json()).data[0]._id;
}

for (const [name, viewport, size, colorScheme] of SIZES) {
  visit(
    `an alert is set by keyboard on ${name}, ${colorScheme}`,
    async (page) => {
      await page.goto(`/details/${await watched(page)}`);
      await setTextSize(page, size);
      const button = page.getByRole("button", { name: /^Tell me below ₹/ });
      await button.focus();
      await page.keyboard.press("Enter");
      const price = page.getByLabel("This price or less, in rupees");
      await price.waitFor();
      assert.ok(Number(await price.inputValue()) > 0);
      await assertAccessible(page, name);
      await assertNoSidewaysScroll(page, name);
      await page.keyboard.press("Escape");
      await price.waitFor({ state: "detached" });
      assert.ok(await button.evaluate((element) => element === document.activeElement));
    },
    { viewport, colorScheme },
  );
}

visit(
  "a push message is shown as a notification",
  async (page, context) => {
    await page.goto("/saved");
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const [worker] = context.serviceWorkers();
    // A browser without a screen allows no notifications.
    await worker.evaluate(() => {
      self.registration.showNotification = async (title, options) => {
        self.shown = { title, ...options };
      };
    });
    const devtools = await context.newCDPSession(page);
    const registered = new Promise((resolve) => {
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => first && resolve(first));
    });
    await devtools.send("ServiceWorker.enable");
    const { registrationId } = await registered;
    const url = `${SHOP}/details/lamp?utm_source=alert`;
    const data = JSON.stringify({ title: "₹850.00 at Croma", body: "Lamp", tag: "lamp", url });
    await devtools.send("ServiceWorker.deliverPushMessage", { origin: SHOP, registrationId, data });
    let shown;
    while (!shown) {
      shown = await worker.evaluate(() => self.shown);
    }
    const icon = "/icon/192.png";
    assert.deepEqual(shown, { title: "₹850.00 at Croma", body: "Lamp", tag: "lamp", data: url, icon });
  },
  { serviceWorkers: "allow" },
);
