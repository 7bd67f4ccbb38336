// People with accounts: a shop with demo products, a mail server whose mails are
// files, and an administrator, owner@example.com.

import assert from "node:assert/strict";
import {
  assertAccessible,
  assertNoSidewaysScroll,
  said,
  setTextSize,
  signIn,
  SIZES,
  visits,
} from "./browser.mjs";
import { codeFor } from "./mails.mjs";

const { PASSWORD } = process.env;
const visit = visits();

visit("an account registers, signs out and resets its password", async (page, context) => {
  const email = "asha@example.com";
  await page.goto("/");
  await page.getByRole("link", { name: "Login" }).click();
  await page.getByRole("link", { name: "Register" }).click();
  await page.getByRole("heading", { name: "Register" }).waitFor();
  await page.getByLabel("Username").fill("asha");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("tiger-lamp-42");
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByText("Enter the 6-digit code sent to your phone").waitFor();
  await page.getByText(email).waitFor();
  const code = await codeFor(email, "Your code to finish registering");
  await page.keyboard.type(code === "000000" ? "000001" : "000000");
  await page.getByText("please enter correct otp").waitFor();
  await page.keyboard.type(code);
  // The code leads to the login, which leads on: the password was typed a moment ago.
  await said(page, "Your account is ready");
  await page.getByRole("button", { name: "Logout" }).waitFor();
  await page.waitForURL("**/");
  assert.equal(await page.getByRole("link", { name: "Add Product" }).count(), 0);
  await page.goto("/add-product");
  await page.getByRole("heading", { name: "Not allowed" }).waitFor();
  await page.getByRole("button", { name: "Sign in with another account" }).waitFor();
  await page.getByRole("link", { name: "See all deals" }).click();
  await page.getByRole("heading", { name: "All deals" }).waitFor();
  // The cookie is shut to scripts; the token is where the specification has it.
  assert.equal(await page.evaluate(() => document.cookie), "");
  assert.ok(await page.evaluate(() => localStorage.getItem("token")));
  await page.reload();
  await page.getByRole("link", { name: "asha" }).click();
  await page.getByRole("heading", { name: "Profile" }).waitFor();

  await page.getByLabel("Current password", { exact: true }).fill("tiger-lamp-42");
  await page.getByLabel("New password", { exact: true }).fill("another-fine-password");
  await page.getByLabel("New password again", { exact: true }).fill("another-fine-password");
  await page.getByRole("button", { name: "Change password" }).click();
  await said(page, "Your password was changed. Other devices were signed out.");
  await page.reload();
  await page.getByRole("heading", { name: "Profile" }).waitFor();

  // Signing out in one tab signs out the other.
  const other = await context.newPage();
  await other.goto("/profile");
  await other.getByRole("heading", { name: "Profile" }).waitFor();
  await other.locator("main").getByRole("button", { name: "Logout", exact: true }).click();
  await other.getByRole("link", { name: "Login" }).waitFor();
  await page.getByRole("heading", { name: "Login" }).waitFor();
  await other.close();

  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  await page.getByLabel("Code").fill(await codeFor(email, "Your code for a new password"));
  await page.getByLabel("New password", { exact: true }).fill("a-third-fine-password");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("button", { name: "Logout" }).first().click();
  await page.getByRole("link", { name: "Login" }).first().waitFor();
  await signIn(page, email, "a-third-fine-password");
});

visit("the profile asks visitors to sign in and is shown afterwards", async (page) => {
  await page.goto("/profile");
  await page.getByRole("heading", { name: "Login" }).waitFor();
  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("heading", { name: "Profile" }).waitFor();
  await page.getByText("Administrator").waitFor();
  await page.getByRole("link", { name: "Add Product" }).waitFor();
});

visit("a failed registration is not shown on the next screen", async (page) => {
  await page.goto("/register");
  await page.route("**/user/register", (route) => route.fulfill({ status: 500, json: { error: "Not today." } }));
  await page.getByLabel("Username").fill("asha");
  await page.getByLabel("Email").fill("late@example.com");
  await page.getByLabel("Password", { exact: true }).fill("tiger-lamp-42");
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByText("Registration Failed").first().waitFor();
  await page.getByRole("main").getByRole("link", { name: "Login" }).click();
  await page.getByRole("heading", { name: "Login" }).waitFor();
  await page.waitForFunction(() => !document.body.textContent.includes("Registration Failed"));
});

visit("a click on Register counts although the field that it leaves gets an error", async (page) => {
  await page.goto("/register");
  await page.getByLabel("Username").click();
  const [x, y] = await page
    .getByRole("button", { name: "Register" })
    .boundingBox()
    .then((box) => [box.x + box.width / 2, box.y + box.height - 2]);
  await page.mouse.click(x, y, { delay: 200 });
  // All fields were checked, not only the one that was left.
  await page.locator("[aria-invalid=true][type=password]").first().waitFor();
});

visit("late administrator actions shift no card", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.waitForFunction(() => localStorage.getItem("admin") === "1");
  let known = () => {};
  const asked = new Promise((resolve) => {
    known = resolve;
  });
  await page.route("**/user/me/*", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto("/");
  const places = () =>
    page
      .locator("article")
      .evaluateAll((cards) => cards.map((card) => JSON.stringify(card.getBoundingClientRect())));
  assert.equal(await page.getByRole("link", { name: "Update" }).count(), 0);
  // Under load the page is still laid out when the app is ready.
  let before = await places();
  for (let last = []; String(before) !== String(last); ) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    [last, before] = [before, await places()];
  }
  known();
  await page.getByRole("link", { name: "Update" }).first().waitFor();
  assert.deepEqual(await places(), before);
  // A signed-in user is redirected.
  await page.goto("/login");
  await page.waitForURL("**/");
  await page.getByRole("heading", { name: "All deals" }).waitFor();
});

visit("a sign-in with wrong credentials keeps the form", async (page) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("not-this-password");
  await page.getByRole("button", { name: "Login" }).click();
  await said(page, "Login Failed");
  await page.getByRole("alert").getByText("Invalid credentials").waitFor();
  assert.equal(await page.getByLabel("Email").inputValue(), "nobody@example.com");
});

visit("a stored session that has ended is removed and reported once", async (page) => {
  // Stored where there is no app that could find it, and say so, before the page that is looked at.
  await page.goto("/robots.txt", { waitUntil: "commit" });
  await page.evaluate(() => localStorage.setItem("token", "old"));
  await page.goto("/");
  await said(page, "Login Failed");
  assert.equal(await page.evaluate(() => localStorage.getItem("token")), null);
  await page.getByRole("link", { name: "Login" }).waitFor();
});

for (const [width, viewport, text, colorScheme] of SIZES) {
  visit(
    `axe finds nothing on the screens of accounts on ${width} in the ${colorScheme} theme`,
    async (page) => {
      await setTextSize(page, text);
      for (const [path, heading] of [
        ["/login", "Login"],
        ["/register", "Register"],
        ["/verify-otp/somebody%40example.com", "Verify your account"],
        ["/forgot-password", "Forgot your password?"],
        ["/reset-password/somebody%40example.com", "Choose a new password"],
      ]) {
        await page.goto(path);
        await page.getByRole("heading", { name: heading }).waitFor();
        await page.locator("#content form button[type=submit]").click();
        await page.locator("[aria-invalid=true]").first().waitFor();
        await assertAccessible(page, path);
        await assertNoSidewaysScroll(page, path);
      }
    },
    { viewport, colorScheme },
  );
}
