// A second factor from its set-up to a change that asks for it again, by administrators
// person-0@example.com to person-5@example.com.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { assertAccessible, assertNoSidewaysScroll, said, signIn, SIZES, visits } from "../browser.mjs";

const { PASSWORD } = process.env;
const visit = visits();

/** The code of an app (RFC 6238) whose clock is so many seconds ahead. */
function codeOf(secret, ahead) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor((Date.now() / 1_000 + ahead) / 30)));
  const mac = createHmac("sha1", key).update(step).digest();
  const number = mac.readUInt32BE(mac.at(-1) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

async function enterPassword(page, email) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
}

async function signOut(page) {
  await page.goto("/profile");
  await page.locator("main").getByRole("button", { name: "Logout", exact: true }).click();
  await page.waitForFunction(() => localStorage.getItem("token") === null);
}

let person = 0;
for (const [width, viewport, , colorScheme] of SIZES.filter(([name]) => !/twice|tablet/.test(name))) {
  const email = `person-${person}@example.com`;
  person += 1;
  visit(
    `a second factor is set up, asked for and asked for again on ${width} in the ${colorScheme} theme`,
    async (page) => {
      const check = async (what) => {
        await assertAccessible(page, what);
        await assertNoSidewaysScroll(page, what);
      };
      await signIn(page, email, PASSWORD);
      await page.goto("/profile");
      await page.getByRole("button", { name: "Set up" }).waitFor();
      await check("the profile without one");
      await page.getByRole("button", { name: "Set up" }).click();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.locator("#second-factor [aria-invalid=true]").waitFor();
      await check("the question for the password");
      await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("img", { name: "QR code for the app" }).waitFor();
      const { width: wide, height } = await page.getByRole("img", { name: "QR code for the app" }).boundingBox();
      assert.ok(wide > 180 && Math.abs(wide - height) < 1, `${wide} × ${height}`);
      const fills = await page
        .locator("#second-factor svg > *")
        .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).fill));
      assert.deepEqual(fills, ["rgb(255, 255, 255)", "rgb(0, 0, 0)"], "dark on light in both themes");
      const secret = (await page.locator("#second-factor code").textContent()).replaceAll(" ", "");
      await page.getByRole("button", { name: "Switch on" }).click();
      await page.getByText("Please enter the 6-digit code.").waitFor();
      await check("the QR code");
      await page.getByLabel("6-digit code").fill(codeOf(secret, -30));
      await page.getByRole("heading", { name: "Keep these recovery codes" }).waitFor();
      assert.equal(await page.locator("#second-factor li").count(), 10);
      await check("the recovery codes");
      await page.getByRole("button", { name: "I have kept them" }).click();
      await page.getByText("10 recovery codes are left.").waitFor();
      await check("the profile with one");

      await signOut(page);
      await enterPassword(page, email);
      await page.getByText("Enter the code from your app.").waitFor();
      await check("the code at the sign-in");
      const right = [-30, 0, 30].map((ahead) => codeOf(secret, ahead));
      const wrong = ["000000", "000001", "000002", "000003"].find((code) => !right.includes(code));
      await page.getByLabel("6-digit code").fill(wrong);
      await page.getByRole("button", { name: "Verify" }).click();
      await page.getByText("Check that the time on your phone is set automatically.").waitFor();
      await check("a wrong code");
      await page.getByRole("button", { name: "Use a recovery code" }).click();
      await page.getByLabel("Recovery code").waitFor();
      await check("a recovery code");
      await page.getByRole("button", { name: "Use the code from the app" }).click();
      await page.getByLabel("Remember this device for 30 days").check();
      await page.getByLabel("6-digit code").fill(codeOf(secret, 0));
      await page.getByRole("button", { name: "Verify" }).click();
      await page.waitForFunction(() => localStorage.getItem("token") !== null);

      // The device is remembered, and keys ask for a code all the same.
      await signOut(page);
      await signIn(page, email, PASSWORD);
      await page.goto("/admin/keys");
      await page.getByLabel("Name", { exact: true }).fill(`key of ${email}`);
      await page.getByLabel(/^Import files/).check();
      await page.getByRole("button", { name: "Make key" }).click();
      await page.getByRole("dialog", { name: "Enter the code from your app" }).waitFor();
      await check("the question for a code");
      await page.getByLabel("6-digit code").fill(codeOf(secret, 30));
      await page.getByText(/^deals_live_/).first().waitFor();
      await page.goto("/admin/activity");
      await page.getByText(/Second factor of person-\d switched on/).first().waitFor();

      await page.goto("/profile");
      await page.getByRole("button", { name: "Switch off" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
      await said(page, "Your second factor is off.");
    },
    { viewport, colorScheme },
  );
}
