// An owner, owner@example.com, invites a helper, who sets a password and adds a deal.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, openOffice, said, settled, signIn, SIZES, visits } from "../browser.mjs";
import { KETTLE, fillIn } from "../products.mjs";

const { PASSWORD } = process.env;
const visit = visits();

function row(page, name) {
  return page.getByRole("region", { name: "Accounts" }).getByRole("listitem").filter({ hasText: name });
}

/** Invites somebody by the screen, and returns the link. */
async function invite(page, email) {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  return page.getByRole("region", { name: "Invite" }).locator("code").textContent();
}

visit("a helper is invited, sets a password, adds a deal, and loses the office with the role", async (page, context) => {
  await openOffice(page, "/admin/people");
  const link = await invite(page, "asha@example.com");
  assert.match(link, /\/invite#[\w-]{43}$/);
  await page.getByText("A mail with this link is on its way to asha@example.com.").waitFor();
  await row(page, "asha@example.com").getByText(/Invited until/).waitFor();

  const theirs = await context.browser().newContext({ serviceWorkers: "block" });
  const helper = await theirs.newPage();
  await helper.goto(link);
  await helper.getByText("You sign in with asha@example.com.").waitFor();
  await helper.getByLabel("Your name").fill("Asha");
  await helper.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await helper.getByRole("button", { name: "Make my account" }).click();
  await helper.waitForURL("**/admin");
  await helper.getByRole("link", { name: "Products" }).first().waitFor();
  for (const name of ["People", "API keys", "Settings"]) {
    assert.equal(await helper.getByRole("link", { name, exact: true }).count(), 0, name);
  }
  await helper.goto(new URL("/add-product", link).href);
  await fillIn(helper, KETTLE);
  await helper.getByLabel("Category").selectOption("Home");
  await helper.getByRole("button", { name: "Add product" }).click();
  await helper.getByRole("heading", { level: 1, name: KETTLE.Title }).waitFor();

  await helper.goto(link);
  await helper.getByText("This link can't be used.").waitFor();
  await helper.getByText(/Ask the person who sent it for a new one/).waitFor();

  await page.reload();
  await row(page, "asha@example.com").getByText("1 session").waitFor();
  await page.getByRole("button", { name: "More of Asha" }).click();
  await page.getByRole("menuitem", { name: "Make user" }).click();
  await said(page, "Asha is now user");
  await helper.goto(new URL("/admin", link).href);
  await helper.getByRole("heading", { name: "Login" }).waitFor();
  await theirs.close();

  await page.goto("/admin/activity");
  await page.getByText("asha@example.com is now user, before: editor").waitFor();
  await page.getByText("owner changed people").first().waitFor();
  await page.getByText("asha@example.com invited as editor").waitFor();
  await page.goto("/admin/people?search=asha");
  await page.getByRole("button", { name: "More of Asha" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete Asha?" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("Nobody has this name or address.").waitFor();
});

visit("the office without a session cookie asks to sign in", async (page, context) => {
  await openOffice(page, "/admin");
  await context.clearCookies();
  await page.goto("/admin/people");
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Login" }).click();
  await dialog.waitFor({ state: "detached" });
  await row(page, "owner@example.com").first().waitFor();
});

visit("people are found, invited and withdrawn by the keyboard alone", async (page) => {
  await openOffice(page, "/admin/people");
  await page.getByLabel("Email").focus();
  await page.keyboard.type("keys@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("on its way to keys@example.com").waitFor();
  await page.getByRole("searchbox", { name: "Name or address" }).focus();
  await page.keyboard.type("KEYS@");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/people?search=KEYS%40");
  const more = page.getByRole("button", { name: "More of keys@example.com" });
  await more.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Withdraw the invitation" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Nobody has this name or address.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
});

visit("a user ends another session and deletes the account; the last administrator can't", async (page, context) => {
  await openOffice(page, "/admin/people");
  const link = await invite(page, "leaving@example.com");
  await page.goto("/profile");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Delete for good" }).click();
  await page.getByText("This is the shop's last administrator.").waitFor();

  const theirs = await context.browser().newContext({ serviceWorkers: "block" });
  const helper = await theirs.newPage();
  await helper.goto(link);
  await helper.getByLabel("Your name").fill("Leaving");
  await helper.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await helper.getByRole("button", { name: "Make my account" }).click();
  await helper.waitForURL("**/admin");
  // A program's session.
  await fetch(new URL("/user/sign-in", link), {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "curl/8.5.0" },
    body: JSON.stringify({ email: "leaving@example.com", password: PASSWORD }),
  });
  await helper.goto(new URL("/profile", link).href);
  const end = helper.getByRole("button", { name: /^End curl/ });
  await end.click();
  await end.waitFor({ state: "detached" });
  await helper.getByText("this session").waitFor();
  await helper.getByRole("button", { name: "Delete my account" }).click();
  await helper.getByLabel("Your password", { exact: true }).fill("not-this-one");
  await helper.getByRole("button", { name: "Delete for good" }).click();
  await helper.getByText("This is not your password.").waitFor();
  await helper.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await helper.getByRole("button", { name: "Delete for good" }).click();
  await helper.getByText("Your account was deleted", { exact: true }).waitFor();
  await theirs.close();
  await page.goto("/admin/people?search=leaving");
  await page.getByText("Nobody has this name or address.").waitFor();
});

for (const [size, viewport, text, colorScheme] of SIZES.filter(([name, , text]) => name !== "a tablet" && text === "100%")) {
  visit(
    `axe finds nothing on the screens about people on ${size} in the ${colorScheme} theme`,
    async (page) => {
      const check = async (what) => {
        await settled(page);
        await assertAccessible(page, `${what}, ${text}`);
        await assertNoSidewaysScroll(page, what);
      };
      await signIn(page, "owner@example.com", PASSWORD);
      await page.goto("/admin/people");
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      await page.locator("[aria-invalid=true]").waitFor();
      await check("a wrong invitation");
      const name = `somebody-with-a-long-address-${viewport.width}-${colorScheme}`;
      const link = await invite(page, `${name}@department.example.com`);
      await page.getByRole("button", { name: `More of ${name}@department.example.com` }).click();
      await check("people with the menu");
      await page.getByRole("menuitem").click();
      await page.getByRole("dialog").waitFor();
      await check("people with the question");
      await page.goto("/profile");
      await page.getByRole("button", { name: "Delete my account" }).click();
      await check("profile");
      await page.goto(link);
      await page.getByRole("button", { name: "Make my account" }).click();
      await page.locator("[aria-invalid=true]").first().waitFor();
      await check("invitation");
      await page.goto("/invite#wrong");
      await page.reload();
      await page.getByText("This link can't be used.").waitFor();
      await check("a wrong link");
    },
    { viewport, colorScheme },
  );
}
