// owner@example.com brings deals from outside into the demo shop.

import assert from "node:assert/strict";
import {
  appIsReady,
  assertAccessible,
  assertNoSidewaysScroll,
  openOffice,
  PHONE,
  SCREENS,
  SHOP,
  signIn,
  visits,
} from "../browser.mjs";
import { bookmarkOf, capture, TEXTS } from "./outside.mjs";

const { PASSWORD } = process.env;
const visit = visits();

const AMAZON = "https://www.amazon.in/Kavrel-AirBud-141-Bluetooth/dp/B0ABCD1234/ref=sr_1_1";

visit(
  "capturing a page again offers to update the price of its deal",
  async (page, context) => {
    await signIn(page, "owner@example.com", PASSWORD);
    const script = await bookmarkOf(page);
    const form = await capture(context, script, "amazon.html", AMAZON);
    await form.getByText("Everything is filled in.").waitFor();
    await assertAccessible(form, "form with a captured deal");
    await assertNoSidewaysScroll(form, "form with a captured deal");
    await form.getByRole("button", { name: "Add product" }).tap();
    await form.waitForURL("**/details/*");
    const again = await capture(context, script, "amazon.html", AMAZON);
    await again.getByText("A deal with this link already exists:").waitFor();
    await again.getByLabel("Final price").fill("1199");
    await again.getByRole("button", { name: "Add product" }).tap();
    const question = again.getByRole("region", { name: "This deal already exists." });
    await question.getByText("₹1,299.00").waitFor();
    await question.getByText("₹1,199.00").waitFor();
    await assertAccessible(again, "duplicate");
    await question.getByRole("button", { name: "Update the price of that one" }).tap();
    await again.waitForURL("**/details/*");
    await again.getByText("₹1,199.00").first().waitFor();
  },
  { viewport: PHONE, hasTouch: true, isMobile: true },
);

visit(
  "a shared text opens the product form",
  async (page) => {
    await page.goto(`/add-product?${new URLSearchParams({ text: TEXTS[0][0] })}`, { waitUntil: "commit" });
    await page.getByLabel("Email").fill("owner@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("main").getByRole("button", { name: "Login" }).click();
    for (const [text, title, seller] of TEXTS) {
      if (text !== TEXTS[0][0]) {
        await page.goto(`/add-product?${new URLSearchParams({ text })}`);
      }
      await page.getByText(`From ${seller}. Check what is filled in.`).waitFor();
      assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), title);
      await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "description");
      await page.waitForFunction(() => window.location.search === "" && window.location.hash.startsWith("#text="));
    }
  },
  { viewport: PHONE },
);

const share = (page, fields) =>
  page.evaluate((fields) => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/shared-deal";
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      [input.type, input.name, input.value] = ["hidden", name, value];
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }, fields);

visit(
  "a deal that is shared without a network waits on the device until it is added",
  async (page, context) => {
    await signIn(page, "owner@example.com", PASSWORD);
    await page.goto("/");
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
    const [text, title] = TEXTS[1];
    await context.setOffline(true);
    await share(page, { title: "", text, url: "" });
    await page.getByText("There is no network. The deal is kept on this device").waitFor();
    await assertAccessible(page, "no network");
    await context.setOffline(false);
    await page.goto("/admin");
    await page.getByRole("link", { name: "Take a look at this Kavrel" }).click();
    await page.getByText("From Flipkart.").waitFor();
    assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), title);

    // With a network the form opens at once. A deal that is added waits no longer.
    await page.goto("/");
    await share(page, { title: "Waterproof kettle", text: "https://www.croma.com/p/77?x=1&y=2", url: "" });
    await page.waitForURL("**/add-product#*");
    await appIsReady(page);
    await page.getByText("From Croma.").waitFor();
    await page.getByLabel("Description").fill("Boils a litre and a half.");
    await page.getByLabel("Price", { exact: true }).fill("999");
    await page.getByLabel("Category").selectOption("Home");
    await page.getByLabel("Picture 1", { exact: true }).fill("https://pictures.example/kettle.jpg");
    await page.getByLabel("Average rating").fill("4");
    await page.getByLabel("Total ratings").fill("10");
    await page.getByRole("button", { name: "Save and add another" }).click();
    await page.waitForFunction(() => document.querySelector("[name=title]")?.value === "");
    const waiting = page.getByRole("region", { name: "Not added yet" });
    await waiting.getByRole("link", { name: "Take a look at this Kavrel" }).waitFor();
    await waiting.getByRole("link", { name: "Waterproof kettle" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete Take a look at this Kavrel" }).click();
    await page.getByRole("heading", { name: "Not added yet" }).waitFor({ state: "detached" });
  },
  { serviceWorkers: "allow" },
);

visit(
  "a photo that is shared is uploaded when its form opens",
  async (page) => {
    await signIn(page, "owner@example.com", PASSWORD);
    await page.goto("/");
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
    await page.evaluate(async () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
      const photo = await new Promise((done) => canvas.toBlob(done, "image/png"));
      const files = new DataTransfer();
      files.items.add(new File([photo], "photo.png", { type: "image/png" }));
      const form = document.createElement("form");
      [form.method, form.enctype, form.action] = ["post", "multipart/form-data", "/shared-deal"];
      const [text, picture] = ["text", "photo"].map((name) => {
        const input = Object.assign(document.createElement("input"), { name });
        form.append(input);
        return input;
      });
      text.value = "Steel kettle https://www.croma.com/p/78";
      picture.type = "file";
      picture.files = files.files;
      document.body.append(form);
      form.submit();
    });
    await page.waitForURL("**/add-product#*");
    await page.getByText("From Croma.").waitFor();
    await page.waitForFunction(() =>
      /\/picture\/[0-9a-f]{32}-640x480\.webp$/.test(document.querySelector('[name="images.0"]')?.value),
    );
    await page.waitForFunction(async () => {
      const kept = await (await caches.open("shared-deals")).keys();
      return kept.length === 1 && new URL(kept[0].url).pathname === "/";
    });
  },
  { serviceWorkers: "allow" },
);

visit(
  "a deal that an app shared without a picture is finished on a phone with a photo",
  async (page) => {
    const [text, title] = TEXTS[3];
    await openOffice(page, `/add-product?${new URLSearchParams({ text })}`);
    await page.getByText("Still to fill in: Description, Picture 1.", { exact: true }).waitFor();
    await page.getByLabel("Description", { exact: true }).fill("A kurti of printed rayon.");
    const png = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
      return canvas.toDataURL("image/png").split(",")[1];
    });
    const photo = { name: "photo.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") };
    await page.getByText("Take a photo").waitFor();
    await page.locator("input[capture=environment]").setInputFiles(photo);
    await page.waitForFunction(() => document.querySelector('[name="images.0"]')?.value.endsWith("-640x480.webp"));
    await page.getByText("Everything is filled in.").waitFor();
    await page.getByRole("button", { name: "Add product" }).tap();
    await page.waitForURL("**/details/*");
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.waitForFunction(() => document.querySelector(".gallery img")?.naturalWidth > 0);
  },
  { viewport: PHONE, hasTouch: true, isMobile: true },
);

visit(
  "a shared deal posted by another site is refused",
  async (page, context) => {
    await signIn(page, "owner@example.com", PASSWORD);
    await page.goto("/");
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
    const kept = () =>
      page.evaluate(async () => (await (await caches.open("shared-deals")).keys()).map(({ url }) => url));
    const form = `<form method="post" action="${SHOP}/shared-deal"><input name="text" value="Not mine"></form>`;
    await context.route("http://other.example/", (route) =>
      route.fulfill({ contentType: "text/html", body: form }),
    );
    await page.goto("http://other.example/", { waitUntil: "commit" });
    await page.locator("form").waitFor({ state: "attached" });
    await page.evaluate(() => document.forms[0].submit());
    await page.waitForURL("**/shared-deal");
    await page.getByText("This request came from another site and was refused.").waitFor();
    await page.goto("/");
    assert.deepEqual(await kept(), []);

    // Fifty fill the device: the next one is said to have no room, and the first still waits.
    await page.evaluate(async () => {
      const cache = await caches.open("shared-deals");
      for (let number = 0; number < 50; number += 1) {
        await cache.put(`/?text=${number}`, new Response());
      }
    });
    await context.setOffline(true);
    await share(page, { title: "", text: "One more", url: "" });
    await page.getByText("this device has no room left to keep the deal").waitFor();
    await context.setOffline(false);
    await page.goto("/");
    const names = await kept();
    assert.equal(names.length, 50);
    assert.ok(names[0].endsWith("/?text=0"), names[0]);
  },
  { serviceWorkers: "allow" },
);

visit("a pasted link opens the form", async (page) => {
  await openOffice(page, "/admin");
  const field = page.getByLabel("Paste a link or message");
  await field.fill("https://www.nykaa.com/kajal/p/12345");
  await field.press("Enter");
  await page.getByText("From Nykaa.").waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "title");
});

for (const [screen, viewport] of SCREENS) {
  for (const colorScheme of ["light", "dark"]) {
    visit(
      `the capture screen is accessible on ${screen}, ${colorScheme}`,
      async (page) => {
        await openOffice(page, "/admin/capture");
        await page.getByRole("heading", { name: "On an Android phone" }).waitFor();
        await assertAccessible(page, "capture");
        await assertNoSidewaysScroll(page, "capture");
        const link = page.locator('a[href^="javascript:"]');
        await link.focus();
        await page.keyboard.press("Enter");
        await page.getByText("Drag it to the bookmarks bar").first().waitFor();
        assert.equal(new URL(page.url()).pathname, "/admin/capture");
        await page.goto(`/add-product#${new URLSearchParams({ text: TEXTS[2][0] })}`);
        await page.getByText("From Myntra.").waitFor();
        await assertAccessible(page, "form");
        await assertNoSidewaysScroll(page, "form");
      },
      { viewport, colorScheme },
    );
  }
}
