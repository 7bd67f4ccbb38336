// An administrator, owner@example.com, in a shop with demo products.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, said, SCREENS, settled, signIn, visits } from "./browser.mjs";
import { KETTLE, fillIn } from "./products.mjs";

const { PASSWORD } = process.env;
const visit = visits();

visit("a product is added, found, changed and deleted", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.getByRole("link", { name: "Add Product" }).click();
  await page.getByRole("heading", { name: "Add product" }).waitFor();
  await page.getByRole("button", { name: "Add product" }).click();
  await page.getByText("Title must be at least 2 characters.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "affiliateLink");

  await fillIn(page, KETTLE);
  await page.getByLabel("Category").selectOption("Home");
  await page.getByRole("button", { name: "Add picture" }).click();
  await page.getByLabel("Picture 2", { exact: true }).fill("https://pictures.example/second.jpg");
  await page.getByRole("button", { name: "Move picture 2 up" }).click();
  assert.equal(
    await page.getByLabel("Picture 1", { exact: true }).inputValue(),
    "https://pictures.example/second.jpg",
  );
  await page.getByRole("button", { name: "Add picture" }).click();
  const row = async () => {
    const boxes = [page.getByLabel("Picture 3", { exact: true }), page.getByRole("button", { name: "Remove picture 3" })];
    return (await Promise.all(boxes.map((box) => box.boundingBox()))).map((box) => box.y);
  };
  await page.getByLabel("Picture 3", { exact: true }).fill("nowhere");
  await page.getByLabel("Picture 2", { exact: true }).focus();
  await page.getByText("Please enter a valid image URL.").waitFor();
  const [field, button] = await row();
  assert.equal(button, field, "an error moves the buttons beside the field");
  await page.getByLabel("Picture 3", { exact: true }).fill("https://pictures.example/third.jpg");
  await page.getByRole("status").getByText("₹1,137.49").waitFor();

  // Typed text survives a reload.
  await page.reload();
  await page.getByRole("heading", { name: "Add product" }).waitFor();
  assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), KETTLE.Title);
  await page.getByRole("button", { name: "Add product" }).click();
  await said(page, "Product added");
  await page.getByRole("heading", { level: 1, name: KETTLE.Title }).waitFor();

  // From the list and back to it: what came with its page is not shown again.
  await page.goto("/");
  const kettle = page.locator("article", { hasText: KETTLE.Title });
  await kettle.getByRole("link", { name: "Update" }).click();
  await page.getByRole("heading", { name: "Update product" }).waitFor();
  await page.getByLabel("Price", { exact: true }).fill("999");
  await page.getByRole("button", { name: "Update product" }).click();
  await said(page, "Product updated successfully");
  await page.waitForURL("**/");
  await kettle.getByText("₹874.13").waitFor();

  await page.goto("/?search=whistling+copper");
  await kettle.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this product?" });
  await dialog.getByText(KETTLE.Title).waitFor();
  await assertAccessible(page, "dialog");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await kettle.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await said(page, "Product deleted successfully");
  await page.getByText("No deals match").waitFor();
});

visit("a product that somebody else changed is not overwritten", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.goto("/");
  await page.getByRole("link", { name: "Update" }).first().click();
  await page.getByRole("heading", { name: "Update product" }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const status = await page.evaluate(async (wanted) => {
    const { product } = await (await fetch(`/product/product/${wanted}`)).json();
    const { ratings, ...rest } = product;
    const body = JSON.stringify({ ...rest, title: "Changed by somebody else" });
    const headers = { "content-type": "application/json" };
    return (await fetch(`/product/update-product/${wanted}`, { method: "PUT", headers, body })).status;
  }, id);
  assert.equal(status, 200);
  await page.getByLabel("Title", { exact: true }).fill("My own title");
  await page.getByRole("button", { name: "Update product" }).click();
  await page.getByText("Somebody else changed this product after you opened it.").waitFor();
  assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), "My own title");
  await page.getByRole("button", { name: "Load the newer version" }).click();
  await page.waitForFunction(() => document.querySelector("[name=title]")?.value === "Changed by somebody else");
  await page.getByLabel("Title", { exact: true }).fill("My own title");
  await page.getByRole("button", { name: "Update product" }).click();
  await said(page, "Product updated successfully");
});

visit("saving an older version keeps the fields that others changed", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.goto("/?category=Home");
  await page.getByRole("link", { name: "Update" }).first().click();
  await page.getByLabel("Title", { exact: true }).fill("Typed before the other change");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await page.waitForFunction((name) => localStorage.getItem(name) !== null, `draft:update-product:${id}`);
  await page.evaluate(async (wanted) => {
    const { product } = await (await fetch(`/product/product/${wanted}`)).json();
    const { ratings, ...rest } = product;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ ...rest, price: 77 });
    await fetch(`/product/update-product/${wanted}`, { method: "PUT", headers, body });
  }, id);
  await page.goto(`/update-product/${id}`);
  await page.waitForFunction(() => document.querySelector("[name=title]")?.value.startsWith("Typed before"));
  await page.getByRole("button", { name: "Update product" }).click();
  await said(page, "Product updated successfully");
  const saved = await page.evaluate(async (wanted) => (await fetch(`/product/product/${wanted}`)).json(), id);
  assert.equal(saved.product.title, "Typed before the other change");
  assert.equal(saved.product.price, 77);
});

visit("a save refused by an ended session is repeated after signing in", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.goto("/?category=Electronics");
  await page.getByRole("link", { name: "Update" }).first().click();
  await page.getByLabel("Price", { exact: true }).fill("4321");
  await page.evaluate(() => fetch("/user/logout-everywhere", { method: "POST" }));
  await page.getByRole("button", { name: "Update product" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await assertAccessible(page, "sign in again");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await said(page, "Product updated successfully");
});

visit("a save asks for the password after a cleaner has emptied the browser, and ends where that is given up", async (page, context) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.goto("/?category=Electronics");
  await page.getByRole("link", { name: "Update" }).first().click();
  await page.getByLabel("Price", { exact: true }).fill("4322");
  await context.clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.getByRole("button", { name: "Update product" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Login" }).waitFor();
});

visit("leaving a form with unsaved changes asks for confirmation", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.goto("/add-product");
  await page.getByLabel("Title", { exact: true }).fill("Half a product");
  await page.getByRole("navigation", { name: "Office" }).getByRole("link", { name: "Today" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave this form?" });
  await dialog.getByRole("button", { name: "Stay" }).click();
  assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), "Half a product");
  await page.getByRole("navigation", { name: "Office" }).getByRole("link", { name: "Today" }).click();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("heading", { name: "Today" }).waitFor();

  // The draft comes back with a notice, and can be discarded.
  await page.goto("/add-product");
  await page.getByLabel("Title", { exact: true }).fill("Half a product");
  await page.reload();
  await page.getByText(/^Unsaved changes of .* are filled in\.$|^Here is what you typed earlier/).waitFor();
  assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), "Half a product");
  await page.getByRole("button", { name: "Discard them" }).click();
  await page.waitForFunction(() => document.querySelector("[name=title]").value === "");
});

visit("a duplicate link is reported while typing", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  const { affiliateLink, source, title } = await page.evaluate(async () => {
    const answer = await fetch("/product/get-products?limit=1");
    return (await answer.json()).data[0];
  });
  await page.goto("/add-product");
  await page.getByLabel("Source", { exact: true }).fill(source);
  await page.getByLabel("Affiliate link", { exact: true }).fill(affiliateLink);
  await page.getByLabel("Affiliate link", { exact: true }).blur();
  await page.getByText("A deal with this link already exists:").waitFor();
  await page.getByRole("link", { name: title }).first().waitFor();
});

for (const [width, viewport, colorScheme] of SCREENS) {
  visit(
    `the form asks before it adds a deal twice on ${width} in the ${colorScheme} theme`,
    async (page) => {
      await signIn(page, "owner@example.com", PASSWORD);
      const { _id, affiliateLink, source, title } = await page.evaluate(async () => {
        const answer = await fetch("/product/get-products?limit=1&sortBy=price");
        return (await answer.json()).data[0];
      });
      const twice = { ...KETTLE, Source: source, "Affiliate link": affiliateLink };
      await page.goto("/add-product");
      await fillIn(page, twice);
      await page.getByLabel("Category").selectOption("Home");
      await page.getByRole("button", { name: "Add product" }).click();
      const question = page.getByRole("region", { name: "This deal already exists." });
      await question.getByRole("link", { name: title }).waitFor();
      await question.getByText("₹").first().waitFor();
      assert.ok(await question.evaluate((section) => section === document.activeElement));
      await assertAccessible(page, "the question");
      await assertNoSidewaysScroll(page, "the question");

      const [opened] = await Promise.all([
        page.waitForEvent("popup"),
        question.getByRole("link", { name: "Open that one" }).press("Enter"),
      ]);
      await opened.waitForURL(`**/update-product/${_id}`);
      await opened.close();
      assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), KETTLE.Title);
      await question.getByRole("button", { name: "Add it all the same" }).press("Enter");
      await said(page, "Product added");
      await page.getByRole("heading", { level: 1, name: KETTLE.Title }).waitFor();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await said(page, "Product deleted successfully");
    },
    { viewport, colorScheme },
  );
}

visit("a product is added once though the response was lost", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  const once = { ...KETTLE, Title: "Kettle on a bad line", "Affiliate link": "https://seller.example/bad-line" };
  await page.goto("/add-product");
  await fillIn(page, once);
  await page.getByLabel("Category").selectOption("Home");
  await page.route(
    (url) => url.pathname === "/product/add-product",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Add product" }).click();
  await page.getByText("failed to add product please try again later").waitFor();
  await page.getByRole("button", { name: "Add product" }).click();
  await said(page, "Product added");
  await page.getByRole("heading", { level: 1, name: once.Title }).waitFor();
  const total = await page.evaluate(async () => {
    const answer = await fetch("/product/get-products?search=kettle+on+a+bad+line");
    return (await answer.json()).meta.total;
  });
  assert.equal(total, 1);
});

visit("a bulk change is undone and is in the activity log", async (page) => {
  // The way back counts its seconds down, and a busy machine may take longer than that.
  await page.addInitScript(() => {
    window.setInterval = () => 0;
  });
  await signIn(page, "owner@example.com", PASSWORD);
  await page.goto("/admin/products?category=Books");
  await page.getByText("12 deals").waitFor();
  await page.getByLabel("Select all on this page").check();
  await page.getByText("12 of 12 selected").waitFor();
  await page.getByRole("button", { name: "More for the selected deals" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 12 deals?" });
  await dialog.getByText("and 9 more").waitFor();
  assert.equal(await dialog.getByRole("listitem").count(), 4);
  await assertAccessible(page, "the question before products are deleted");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("12 deals deleted.").waitFor();
  await page.getByText("0 deals", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.getByText("12 deals", { exact: true }).waitFor();

  for (const row of [0, 1]) {
    await page.locator("tbody").getByRole("checkbox").nth(row).check();
  }
  await page.getByRole("button", { name: "More for the selected deals" }).click();
  await page.getByRole("menuitem", { name: "Set discount" }).click();
  await page.getByLabel("New discount in percent").fill("45");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByText("2 deals: discount is now 45%.").waitFor();
  await page.getByRole("button", { name: /^Details of/ }).first().click();
  await page.locator("tbody").getByText("45%").waitFor();

  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("link", { name: "Activity" }).click();
  await page.getByRole("heading", { name: "Activity" }).waitFor();
  await page.getByText("undid the deletion of").getByRole("link", { name: "12 deals" }).waitFor();
  await page.getByText("Discount set to 45%").waitFor();
  await page.getByRole("link", { name: "2 deals", exact: true }).click();
  await page.getByText(/^Discount changed from .+% to 45%$/).nth(1).waitFor();
  await page.getByRole("link", { name: "All activity" }).waitFor();
  await assertAccessible(page, "activity");
});

visit("reports show clicks and why a click was not counted", async (page, context) => {
  await page.goto("/");
  const buy = page.locator("article").first().getByRole("link", { name: /^Buy It on/ });
  const [seller] = await Promise.all([context.waitForEvent("page"), buy.click()]);
  await said(page, "🎉 Click Recorded!");
  await seller.close();
  await signIn(page, "owner@example.com", PASSWORD);
  await page.goto("/admin");
  await page.getByRole("navigation", { name: "Office" }).getByRole("link", { name: "Reports" }).click();
  await page.getByRole("heading", { name: "Reports" }).waitFor();
  await page.getByLabel("Group by").selectOption("verdict");
  // This browser says that a program runs it.
  const reason = "A browser run by software";
  await page.getByRole("rowheader", { name: reason }).waitFor();
  await page.getByText("Each click that was not counted").click();
  await page.getByRole("listitem").getByText(reason).first().waitFor();
  await page.getByLabel("Group by").selectOption("product");
  await page.getByLabel("Time").selectOption("1d");
  await page.locator(".report").getByRole("link").first().waitFor();
  const address = await page.getByRole("link", { name: "Download CSV" }).getAttribute("href");
  const table = await page.evaluate(async (path) => (await fetch(path)).text(), address);
  assert.match(table, /^key,label,counted,leftOut(,views,rate)?\n(.+,\d+,[1-9]\d*,?.*\n)+/);
  await assertAccessible(page, "reports");
});

visit("an imported file is previewed and is in the activity log", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.goto("/admin/files");
  const rows = Array.from({ length: 2_000 }, (_, n) => ({
    title: `Imported product ${n}`,
    description: "Came by a file from the browser.",
    price: n % 200 === 7 ? -1 : 100 + n,
    discount: 0,
    category: "Home",
    source: "Croma",
    affiliateLink: `https://seller.example/imported/${n}`,
    images: ["https://pictures.example/imported.jpg"],
    averageRating: 4,
    totalRatings: 1,
  }));
  await page.getByLabel(/^CSV, Excel/).setInputFiles({
    name: "rows.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(rows)),
  });
  await page.getByText("rows.json is a list of deals with 2,000 rows: 1,990 can be imported, 10 cannot.").waitFor();
  await page.getByText("Rows 8, 208, 408 and 7 more: Price must be a positive number.").waitFor();
  await page.getByRole("button", { name: "Try it first" }).click();
  await page.getByText("1,990 will be added, 0 changed, 0 stay as they are, 10 are refused.").waitFor();
  await assertAccessible(page, "preview");
  await page.getByRole("button", { name: "Import the valid rows" }).click();
  await said(page, "1,990 added, 0 changed");
  await page.goto("/admin/products?search=imported+product");
  await page.getByText("1,990 deals").waitFor();
  await page.goto("/admin/files");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "products.csv");
});

visit("visitors of the office are sent to sign in", async (page) => {
  await page.goto("/");
  await page.locator("article").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
  await page.goto("/add-product");
  await page.getByRole("heading", { name: "Login" }).waitFor();
});

for (const [width, viewport, colorScheme] of SCREENS) {
  visit(
    `axe finds nothing on an owner's screens on ${width} in the ${colorScheme} theme`,
    async (page) => {
      await signIn(page, "owner@example.com", PASSWORD);
      await page.goto("/");
      await page.getByRole("link", { name: "Update" }).first().waitFor();
      await assertAccessible(page, "listing");
      await assertNoSidewaysScroll(page, "listing");
      for (const path of [
        "/add-product",
        "/profile",
        "/admin",
        "/admin/products",
        "/admin/reports",
        "/admin/sources",
        "/admin/keys",
        "/admin/files",
        "/admin/activity",
        "/admin/settings",
      ]) {
        await page.goto(path);
        await page.locator("h1").waitFor();
        await settled(page);
        await assertAccessible(page, path);
        await assertNoSidewaysScroll(page, path);
      }
    },
    { viewport, colorScheme },
  );
}

visit("settings refused by an ended session are saved after signing in", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.goto("/admin/settings");
  await page.getByLabel("Tagline", { exact: true }).fill("Saved after signing in again");
  await page.evaluate(() => fetch("/user/logout-everywhere", { method: "POST" }));
  await page.getByRole("button", { name: "Save name and contact" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  assert.equal(await dialog.count(), 1);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.waitForFunction(async () => (await (await fetch("/")).text()).includes("Saved after signing in again"));
});
