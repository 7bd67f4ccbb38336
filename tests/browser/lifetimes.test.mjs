// Deals that begin, end and have a past, as owner@example.com and as a visitor, in a demo shop.

import assert from "node:assert/strict";
import {
  appIsReady,
  assertAccessible,
  assertNoSidewaysScroll,
  DESKTOP,
  openOffice,
  PHONE,
  said,
  visits,
} from "./browser.mjs";

const visit = visits();

visit("deals that end soon and proven discounts are filtered by one press", async (page) => {
  await page.goto("/");
  const quick = page.getByRole("list", { name: "Quick filters" });
  await quick.getByRole("link", { name: "Ending soon 2" }).click();
  await page.getByText("2 deals", { exact: true }).waitFor();
  assert.equal(await page.getByText(/^Ends (today|tomorrow) \d\d:\d\d$/).count(), 2);
  await page.getByRole("link", { name: "Remove Ending soon" }).click();
  await quick.getByRole("link", { name: /^Really cheaper \d+$/ }).click();
  await page.waitForURL("**/?minProven=10");
  const cards = page.getByRole("article");
  await cards.first().getByText(/^Lowest (in 90 days|since \d+ [A-Z][a-z]{2})$/).waitFor();
});

visit("a price history is shown in words, a line and a list, also without JavaScript", async (page, context) => {
  await page.goto("/?minProven=10");
  await page.getByRole("article").first().getByRole("link").first().click();
  const history = page.locator(".history");
  await page.locator(".plate").getByText(/^Usually ₹[\d,.]+ ₹[\d,.]+ less today, the lowest (in 90 days|since \d+ [A-Z][a-z]{2})\.$/).waitFor();
  await history.locator("svg path[d^=M]:not(.grid)").first().waitFor({ state: "attached" });
  await history.getByText("All prices").click();
  await history.getByRole("listitem").first().waitFor();
  const text = await history.innerText();
  const still = await context.browser().newContext({ javaScriptEnabled: false });
  try {
    const plain = await still.newPage();
    await plain.goto(page.url());
    await plain.locator(".history").getByText("All prices").click();
    assert.equal(await plain.locator(".history").innerText(), text);
  } finally {
    await still.close();
  }
});

visit("an administrator filters drafts and publishes one", async (page) => {
  await openOffice(page, "/admin/products");
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("link", { name: "Ended 2" }).click();
  await page.getByText(/^Ended \d+ \w+/).first().waitFor();
  await views.getByRole("link", { name: "Scheduled 1" }).click();
  await page.getByText(/^Starts \d+ \w+/).waitFor();
  await views.getByRole("link", { name: "Drafts 4" }).click();
  await page.getByRole("button", { name: /^More of Orrenta Travel Mug/ }).click();
  const asked = page.waitForResponse((it) => it.url().includes("/product/product/") && it.ok());
  await page.getByRole("menuitem", { name: "View in the shop" }).click();
  await asked;
  await page.getByText("A draft: only administrators see this page.").waitFor();
  await page.reload();
  await appIsReady(page);
  await page.getByText("A draft: only administrators see this page.").waitFor();
  await page.goto("/admin/products?state=draft");
  await page.getByRole("checkbox", { name: /^Select Orrenta Travel Mug/ }).check();
  await page.getByRole("button", { name: "More for the selected deals" }).click();
  await page.getByRole("menuitem", { name: "Publish drafts" }).click();
  await page.getByText(/^“Orrenta Travel Mug.*”: published\.$/).waitFor();
  await views.getByRole("link", { name: "Drafts 3" }).waitFor();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await said(page, "Undone");
  await views.getByRole("link", { name: "Drafts 4" }).waitFor();
});

visit("a product is added with a final price and an end by one press, and ended at once", async (page) => {
  await openOffice(page, "/add-product");
  await appIsReady(page);
  await page.getByLabel("Title").fill("Brass table lamp");
  await page.getByLabel("Description").fill("A lamp of brass for a small table.");
  await page.getByLabel("Price", { exact: true }).fill("109900");
  await page.getByLabel("Final price", { exact: true }).fill("84999");
  await page.getByText("₹84,999.00").first().waitFor();
  await page.getByLabel("Category").selectOption("Home");
  await page.getByLabel("Source").fill("Croma");
  await page.getByLabel("Affiliate link").fill("https://shop.example/brass-lamp");
  await page.getByRole("textbox", { name: "Picture 1" }).fill("https://pictures.example/lamp.jpg");
  await page.getByLabel("Average rating").fill("4");
  await page.getByLabel("Total ratings").fill("12");
  await page.getByRole("button", { name: "In 3 days" }).click();
  await page.getByLabel(/^Starts/).fill("2031-01-01T10:00");
  await page.getByRole("button", { name: "Add product" }).click();
  await page.getByText("The end must be after the start.").first().waitFor();
  await page.getByLabel(/^Starts/).fill("");
  await page.getByRole("button", { name: "Add product" }).click();
  await said(page, "Product added");
  const { product } = await page.evaluate(async () => {
    const list = await (await fetch("/product/get-products?search=brass")).json();
    return { product: list.data[0] };
  });
  assert.deepEqual([product.price, product.discount, product.finalPrice], [109900, 22.66, 84999]);
  assert.match(product.endsAt, /T18:29:00.000Z$/);
  await page.goto("/admin/products?search=brass");
  await page.getByRole("checkbox", { name: "Select Brass table lamp" }).check();
  await page.getByRole("button", { name: "End now" }).click();
  await page.getByText("“Brass table lamp”: ended now.").waitFor();
  await page.goto(`/details/${product._id}`);
  await page.getByText(/^This deal ended on/).waitFor();
  await page.getByRole("link", { name: "See today's price at Croma" }).waitFor();
});

visit("a wrong price is removed", async (page) => {
  await openOffice(page, "/admin/products?search=charger");
  const first = page.getByRole("row").nth(1).getByRole("link").first();
  await first.click();
  const former = page.getByRole("region", { name: "Earlier prices" });
  const rows = former.getByRole("listitem");
  await rows.first().waitFor();
  const before = await rows.count();
  await rows.first().getByRole("button", { name: /^Remove/ }).click();
  await said(page, "The price is removed.");
  await page.waitForFunction((count) => document.querySelectorAll("[aria-labelledby=former-prices] li").length === count, before - 1);
});

for (const size of [PHONE, DESKTOP]) {
  for (const colorScheme of ["light", "dark"]) {
    visit(
      `what is new on pages is accessible and fits, ${colorScheme}, ${size.width} px`,
      async (page) => {
        await page.emulateMedia({ colorScheme });
        await page.goto("/?endingSoon=true");
        await assertAccessible(page);
        await assertNoSidewaysScroll(page);
        await page.goto("/?minProven=10");
        await page.getByRole("article").first().getByRole("link").first().click();
        await page.locator(".history").waitFor();
        await assertAccessible(page);
        await assertNoSidewaysScroll(page);
        await openOffice(page, "/admin/products?state=ended");
        await assertAccessible(page);
        await page.getByRole("row").nth(1).getByRole("link").first().click();
        await page.getByRole("button", { name: "Tonight 23:59" }).waitFor();
        await assertAccessible(page);
        await assertNoSidewaysScroll(page);
      },
      { viewport: size },
    );
  }
}

visit("a coupon code is copied by its button", async (page, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/?search=television");
  await page.getByText(/^₹[\d,.]+ with code and ICICI card$/).waitFor();
  await page.getByRole("article").first().getByRole("link").first().click();
  const offers = page.locator(".offers");
  await offers.getByText("BIGSCREEN", { exact: true }).waitFor();
  assert.equal(await offers.getByText("BIGSCREEN").count(), 1);
  await offers.getByText("No cost for 12 months").waitFor();
  // The price that everybody pays leads; that with the code is the second, and smaller.
  const size = (of) => page.locator(of).evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));
  await page.locator(".price-with", { hasText: "with BIGSCREEN and ICICI card" }).waitFor();
  assert.ok((await size(".price-with b")) * 2 < (await size(".price-large > span")));
  await offers.getByRole("button", { name: "Copy BIGSCREEN" }).click();
  await offers.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "BIGSCREEN");
  await assertAccessible(page);
  await page.reload();
  await appIsReady(page);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("none"));
    document.execCommand = () => false;
  });
  await offers.getByRole("button", { name: "Copy BIGSCREEN" }).click();
  await offers.getByRole("status").getByText("The code is selected: copy it.").waitFor();
  assert.equal(await page.evaluate(() => getSelection().toString()), "BIGSCREEN");
  // So is that of a seller, on its page.
  await page.goto("/seller/myntra");
  await offers.getByRole("button", { name: "Copy STYLE100" }).waitFor();
});

visit("an administrator gives a product offers, and takes them away", async (page) => {
  await openOffice(page, "/admin/products?search=kettle");
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("button", { name: "Add offer" }).click();
  const offer = page.getByRole("group", { name: "Offer 1" });
  await offer.getByLabel("Percent off").fill("10");
  await page.getByRole("button", { name: "Update product" }).click();
  await offer.getByText("A coupon needs its code.").waitFor();
  await offer.getByLabel("Code").fill("TEA10");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Update product" }).click();
  await said(page, "Product updated successfully");
  await page.goto("/?search=kettle");
  await page.getByText(/^₹[\d,.]+ with code$/).waitFor();
  // The page brings what its cards show, which is less than the form changes.
  await page.getByRole("link", { name: "Update" }).first().click();
  await offer.waitFor();
  assert.equal(await offer.getByLabel("Code").inputValue(), "TEA10");
  assert.doesNotMatch(await page.getByLabel("Description").inputValue(), /…$/);
  await page.getByRole("button", { name: "Remove offer" }).click();
  await page.getByRole("button", { name: "Update product" }).click();
  await said(page, "Product updated successfully");
  await page.goto("/?search=kettle");
  await page.getByRole("article").first().waitFor();
  assert.equal(await page.getByText(/with code$/).count(), 0);
});
