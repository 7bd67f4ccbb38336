// The home page in the office: sections are added, moved, previewed and saved, and stand in the shop.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, openOffice, said, SCREENS, settled, visits, watchLayout } from "../browser.mjs";

const visit = visits();

/** Names of the sections in their order. */
function order(page) {
  return page.getByRole("list", { name: "Sections in their order" }).locator("li > b").allTextContents();
}

for (const [screen, viewport, colorScheme] of SCREENS) {
  visit(`sections are arranged with a preview on ${screen}`, async (page) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await watchLayout(page);
    await openOffice(page, "/admin/front-page");
    const frame = page.frameLocator("iframe");
    await page.getByLabel("New section").selectOption("Banner");
    await page.getByRole("button", { name: "Add section" }).click();
    // A red picture of 64 by 16 pixels.
    const png = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 16 });
      const context = canvas.getContext("2d");
      context.fillStyle = "#c00";
      context.fillRect(0, 0, 64, 16);
      return canvas.toDataURL().split(",")[1];
    });
    const file = { name: "sale.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") };
    await page.getByLabel(/^Picture from this device/).setInputFiles(file);
    const address = page.getByLabel("Address of the picture");
    await page.waitForFunction((field) => field.value.includes("/picture/"), await address.elementHandle());
    await page.getByLabel("Title").fill("Monsoon sale");
    await page.getByLabel("Description of the picture").fill("Half price");
    await page.getByLabel("Link").fill("javascript:alert(1)");
    // The preview says why it waits, and follows once it can.
    await page.getByText(/^Section no. \d+: The link must be like/).waitFor();
    await page.getByLabel("Link").fill("/?category=Books");
    await frame.getByRole("heading", { name: "Monsoon sale", includeHidden: true }).waitFor();
    await assertAccessible(page, `form, ${screen}`);

    // By the keyboard alone, to the top.
    await page.getByRole("button", { name: "Change Banner" }).click();
    const up = page.getByRole("button", { name: "Move Banner “Monsoon sale” up" });
    await up.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.deepEqual(await order(page), ["Banner “Monsoon sale”", "Best deals", "Categories"]);
    const down = page.getByRole("button", { name: "Move Banner “Monsoon sale” down" });
    assert.equal(await down.evaluate((button) => button === document.activeElement), true);
    await frame.locator(".home > .banner:first-child").waitFor();
    // The frame has the width of the chosen device, and the shop's styles.
    await page.getByRole("button", { name: "Desktop" }).click();
    await page.waitForFunction(() => document.querySelector("iframe").contentWindow.innerWidth === 1280);
    const radius = await frame.locator(".banner").evaluate((it) => getComputedStyle(it).borderTopLeftRadius);
    assert.equal(radius, "20px");
    await assertAccessible(page, `moved, ${screen}`);
    await assertNoSidewaysScroll(page, screen);
    // By dragging, where there is a mouse.
    const rows = page.getByRole("list", { name: "Sections in their order" }).locator("> li");
    await rows.nth(2).locator("[draggable]").dragTo(rows.nth(1));
    assert.deepEqual(await order(page), ["Banner “Monsoon sale”", "Categories", "Best deals"]);
    await page.getByRole("button", { name: "Save" }).click();
    await said(page, "Home page saved");

    await page.goto("/");
    await settled(page);
    const banner = page.getByRole("link", { name: "Half price Monsoon sale" });
    assert.equal(await banner.evaluate((it) => it === document.querySelector(".home").firstElementChild), true);
    // The bar at the bottom gets the office's places once the session is known.
    const moved = await page.evaluate(() => window.shifts());
    assert.deepEqual(moved.flat().filter((node) => /banner|poster|class="(strip|list)/.test(node)), []);
    await assertAccessible(page, `shop, ${screen}`);
    await assertNoSidewaysScroll(page, screen);
    await banner.click();
    await page.getByRole("heading", { name: "Books", level: 1 }).waitFor();

    await page.goto("/admin/front-page");
    await page.getByRole("button", { name: "Start over with the default page" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await said(page, "Home page saved");
  });
}

visit("a WebP picture becomes the logo, small and with what is transparent", async (page) => {
  await openOffice(page, "/admin/settings#look");
  const webp = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 900, height: 600 });
    canvas.getContext("2d").fillRect(0, 0, 450, 600);
    return canvas.toDataURL("image/webp").split(",")[1];
  });
  const file = { name: "logo.webp", mimeType: "image/webp", buffer: Buffer.from(webp, "base64") };
  await page.locator("#logo input[type=file]").setInputFiles(file);
  const logo = page.getByRole("img", { name: "The logo as it is" });
  await logo.waitFor();
  const { source, width, corner } = await logo.evaluate(async (image) => {
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 3, height: 2 });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, 3, 2);
    return { source: image.src, width: image.naturalWidth, corner: context.getImageData(2, 0, 1, 1).data[3] };
  });
  assert.match(source, /\.png$/);
  assert.deepEqual([width, corner], [512, 0]);
});
