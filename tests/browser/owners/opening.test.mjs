// A shop that was just started: no administrator, no products, no mail server and no backups.

import assert from "node:assert/strict";
import {
  assertAccessible,
  assertNoSidewaysScroll,
  DESKTOP,
  PHONE,
  said,
  signIn,
  visits,
} from "../browser.mjs";

const { PASSWORD, SETUP_LINK, MAIL_PORT } = process.env;
const visit = visits();

const SIZES = [
  [{ width: 320, height: 640 }, "light"],
  [PHONE, "light"],
  [{ width: 768, height: 1024 }, "dark"],
  [DESKTOP, "dark"],
];

/** Checks a screen at every size, each in one of the themes. */
async function assertFits(page, what) {
  for (const [viewport, colorScheme] of SIZES) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await assertNoSidewaysScroll(page, `${what} at ${viewport.width} px`);
    await assertAccessible(page, `${what} at ${viewport.width} px, ${colorScheme}`);
  }
}

visit("visitors of a shop without products read that it opens soon, and have nothing to filter", async (page) => {
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Opening soon" }).waitFor();
  for (const name of ["Sort by", "Order"]) {
    assert.equal(await page.getByLabel(name).count(), 0, name);
  }
  assert.equal(await page.getByRole("navigation", { name: "Categories" }).count(), 0);
  assert.equal(await page.getByRole("link", { name: "Add product" }).count(), 0);
  await assertAccessible(page, "an empty shop");
});

visit("the setup page without a secret says how to get a link", async (page) => {
  await page.goto("/setup");
  await page.getByText("This page needs a setup link.").waitFor();
  await page.getByText(/run `deals setup-link` on the server/).waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Email" }).count(), 0);
  await assertFits(page, "the setup without a secret");
  await page.goto("/setup#wrong");
  await page.getByText("This link can't be used.").waitFor();
  await page.getByText(/Run `deals setup-link` on the server to get a new one/).waitFor();
});

visit("a new shop is set up by keyboard alone", async (page) => {
  await page.goto(SETUP_LINK);
  const name = page.getByLabel("Your name");
  await name.waitFor();
  await assertFits(page, "the first account");
  await page.setViewportSize(PHONE);

  await name.focus();
  await page.keyboard.type("Priya");
  await page.keyboard.press("Tab");
  await page.keyboard.type("priya@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.type("password");
  await page.keyboard.press("Enter");
  await page.getByText("This password is too easy to guess. Please choose another one.").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { level: 1, name: "Open your shop" }).waitFor();
  assert.ok(!page.url().includes("#"), "the secret is gone from the address");
  const step = page.locator("section[aria-labelledby=step]");
  await step.getByText("Step 1 of 7").waitFor();
  await step.getByText("Its name is Deals.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Sasta Adda");
  await step.getByLabel(/^The colour of the top of every page/).fill("#0f5f4a");
  await page.getByLabel("Tagline").fill("Sasta, sahi, seedha.");
  // The preview has what is typed.
  await step.getByRole("figure").first().getByText("Sasta Adda").waitFor();
  await assertFits(page, "the name of the shop");
  await page.getByLabel("Tagline").press("Enter");
  await said(page, "Settings saved");
  await page.waitForFunction(() => getComputedStyle(document.documentElement).getPropertyValue("--fill") === "#0f5f4a");

  await page.getByRole("heading", { level: 2, name: "Bring your products" }).waitFor();
  await page.locator("h2:focus").waitFor();
  await step.getByText("There are none yet.").waitFor();
  await step.getByLabel("Paste a link or message").waitFor();
  await assertFits(page, "the products");
  const here = page.url();
  // The empty list leads an administrator on.
  await page.goto("/");
  await page.getByRole("link", { name: "Import a file" }).waitFor();
  assert.equal(await page.locator("main").getByRole("link", { name: "Add product" }).getAttribute("href"), "/add-product");
  await assertAccessible(page, "an empty shop for its owner");
  await page.goto(here);
  await step.getByRole("button", { name: "Add demo products" }).press("Enter");
  await said(page, "55 demo products added");
  await step.getByText("It shows 48 deals.").waitFor();
  await step.getByRole("link", { name: "Look at your shop" }).waitFor();
  await assertFits(page, "the shop with products");
  await step.getByRole("link", { name: "Continue" }).press("Enter");

  await page.getByRole("heading", { level: 2, name: "Earn from your links" }).waitFor();
  await page.locator("h2:focus").waitFor();
  await step.getByText("No affiliate tag is set.").waitFor();
  const amazon = step.getByRole("region", { name: "Amazon", exact: true });
  await assertFits(page, "the tags");
  await amazon.getByLabel("Your tag in links of Amazon").fill("sasta-21");
  await page.keyboard.press("Enter");
  await amazon.getByRole("button", { name: /^Change \d+ links$/ }).press("Enter");
  await step.getByText("Your tag is in the links of Amazon.").waitFor();
  await step.getByRole("link", { name: "Continue" }).press("Enter");

  await page.getByRole("heading", { level: 2, name: "Say who you are" }).waitFor();
  await step.getByText("There are no pages yet.").waitFor();
  await step.getByRole("button", { name: "Add the “about” page" }).click();
  await assertFits(page, "a page from a draft");
  await step.getByRole("button", { name: "Publish" }).press("Enter");
  await said(page, "Settings saved");
  await step.getByText(/^Your pages: About/).waitFor();
  await step.getByRole("link", { name: "Continue" }).press("Enter");

  await page.getByRole("heading", { level: 2, name: "Set up mail" }).waitFor();
  await page.locator("h2:focus").waitFor();
  await step.getByText("No mail server is set: mails are printed in the log.").waitFor();
  assert.equal(await step.getByRole("button", { name: "Send a test mail to me" }).count(), 0);
  await step.getByLabel("Mail server", { exact: true }).fill("mail server");
  await page.keyboard.press("Enter");
  await step.getByText("Enter the address that mails come from.").waitFor();
  await step.getByLabel("Sender").fill("shop@example.com");
  await page.keyboard.press("Enter");
  // At the field, and for a moment beside the button.
  await step.getByText("Enter the mail server's name, like mail.example.com.", { exact: true }).first().waitFor();
  await assertFits(page, "a refused mail server");
  await step.getByLabel("Mail server", { exact: true }).fill("127.0.0.1");
  await step.getByLabel("Encryption").selectOption("none");
  assert.equal(await step.getByLabel("Port").inputValue(), "25");
  await step.getByLabel("Port").fill(MAIL_PORT);
  await step.getByLabel("User name").fill("shop");
  await step.getByLabel("Password of the mail server", { exact: true }).fill("tiger-lamp-43");
  await page.keyboard.press("Enter");
  await said(page, "Mail server saved");
  await step.getByText(`Mails go to 127.0.0.1:${MAIL_PORT}.`).waitFor();
  await step.getByText(/^Set on .* leave it empty to keep it$/).waitFor();
  assert.equal(await step.getByLabel("Password of the mail server", { exact: true }).inputValue(), "");
  await step.getByRole("button", { name: "Send a test mail to me" }).press("Enter");
  await step.getByText("A mail to priya@example.com is on its way.").waitFor();
  await assertFits(page, "the test mail");
  await step.getByRole("link", { name: "Continue" }).press("Enter");

  await step.getByText(/^It is http:.*, without https\.$/).waitFor();
  await step.getByLabel("Your domain").fill("https://sasta.example/");
  await step.getByText(/write the line DEALS_ACME_DOMAIN=sasta\.example into/).waitFor();
  await assertFits(page, "the address");
  await step.getByRole("link", { name: "Skip for now" }).press("Enter");

  await step.getByText("No place is chosen: the server makes no backups.").waitFor();
  await step.getByLabel("Backups go to").selectOption("bucket");
  await step.getByRole("button", { name: "Save backup location" }).press("Enter");
  await step.getByText("Enter the id of the access key.").waitFor();
  await assertFits(page, "a bucket for backups");
  await step.getByLabel("Backups go to").selectOption("folder");
  await step.getByLabel("Folder", { exact: true }).fill("/etc");
  await page.keyboard.press("Enter");
  await step.getByText(/^Only a folder inside .*, like .*\/backups\./).first().waitFor();
  const folder = step.getByLabel("Folder", { exact: true });
  const root = /^Inside (.*); made if it is missing$/.exec(await step.getByText(/; made if it is missing$/).innerText())[1];
  await folder.fill(`${root}/backups`);
  await page.keyboard.press("Enter");
  await said(page, "Backup location saved");
  await step.getByText(`The folder is ${root}/backups.`).waitFor();
  await step.getByRole("button", { name: "Back up now" }).waitFor();
  await step.getByRole("button", { name: "Test the location" }).press("Enter");
  await step.getByText("It can be used: something small was written there and deleted.").waitFor();
  const download = page.waitForEvent("download");
  await step.getByRole("button", { name: "Download a copy now" }).press("Enter");
  assert.match((await download).suggestedFilename(), /^deals-.*\.sqlite$/);
  await step.getByText(/ is being downloaded\.$/).waitFor();
  await assertFits(page, "the backups");
  await step.getByRole("link", { name: "Continue" }).press("Enter");

  await page.getByRole("heading", { level: 2, name: "That is all for now" }).waitFor();
  await step.getByText(/^Still to do: connect your domain\./).waitFor();
  await assertFits(page, "the end of the setup");
  await step.getByRole("link", { name: "See your shop" }).press("Enter");
  await page.getByRole("heading", { name: "All deals" }).waitFor();
  await page.reload();
  assert.match(await page.title(), /^Sasta Adda/);
  await page.getByText("Sasta, sahi, seedha.").first().waitFor();
});

visit(
  "what was skipped stays as a line of the first page, which leads back to it",
  async (page) => {
    await signIn(page, "priya@example.com", PASSWORD);
    await page.goto("/admin");
    const line = page.getByRole("list", { name: "To do once" }).getByRole("listitem");
    await line.getByText("Finish setting up").waitFor();
    assert.equal(await line.getByText("Connect your domain", { exact: true }).count(), 1);
    await assertAccessible(page, "the first page of a new shop");
    await line.getByRole("link", { name: "Open" }).click();
    await page.getByRole("heading", { level: 2, name: "Connect your domain" }).waitFor();
  },
  { viewport: PHONE },
);

visit("a used setup link says so", async (page) => {
  await page.goto(SETUP_LINK);
  await page.getByText("This link can't be used.").waitFor();
  await page.getByText(/it was used/).waitFor();
});
