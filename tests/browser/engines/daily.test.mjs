// What people do daily, in the engine named by ENGINE: a shop with demo products and an
// administrator, owner@example.com.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { DESKTOP, PHONE } from "../browser.mjs";
import { codeFor } from "../mails.mjs";
import { KETTLE } from "../products.mjs";
import { seller } from "./middleman.mjs";
import { stories } from "./person.mjs";

const { PASSWORD } = process.env;
const story = stories();

/** The seller of what is added here, on this machine. */
let shop;
/** The folder of the file that is imported. */
let folder;

before(async () => {
  shop = await seller();
  folder = await mkdtemp(join(tmpdir(), "deals-file-"));
});
after(async () => {
  shop.close();
  await rm(folder, { recursive: true });
});

for (const { width, height } of [PHONE, DESKTOP]) {
  story(`a visitor browses, searches, filters and looks at a deal at ${width} px`, async (visitor, driver) => {
    await driver.resize(width, height);
    await visitor.open("/");
    await visitor.sees({ text: "Page 1 of 5" });
    await visitor.until(() => document.querySelector("article img").naturalWidth > 0);
    await visitor.click({ role: "link", name: "Next" });
    await visitor.sees({ text: "Page 2 of 5" });
    await driver.back();
    await visitor.sees({ text: "Page 1 of 5" });

    // From the top: going back restores the place, also below a pointer.
    await visitor.open("/");
    if (width === PHONE.width) {
      await visitor.click({ role: "link", name: "Search" });
      await visitor.until(() => document.activeElement?.getAttribute("type") === "search");
    }
    await visitor.fill({ role: "searchbox" }, "cable");
    await driver.press("Enter");
    await visitor.isAt("/?search=cable");
    await visitor.sees({ role: "heading", name: "“cable”" });

    await visitor.open("/");
    await visitor.click({ role: "link", name: /^Books/ });
    await visitor.sees({ text: "12 deals" });
    await visitor.choose({ label: "Sort by" }, "price");
    await visitor.choose({ label: "Order" }, "asc");
    await visitor.isAt("/category/books?sortBy=price&order=asc");
    await visitor.until(async () => {
      const titles = [...document.querySelectorAll("article h2")].map((title) => title.textContent);
      const answer = await fetch("/product/get-products?category=Books&sortBy=price&order=asc");
      const wanted = (await answer.json()).data.map(({ title }) => title);
      return JSON.stringify(titles) === JSON.stringify(wanted);
    });
    const overflow = await driver.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.ok(overflow <= 0, `${overflow} px`);

    const title = await driver.evaluate(() => document.querySelector("article h2").textContent);
    await visitor.click({ role: "link", name: title });
    await visitor.sees({ role: "heading", name: title });
    await visitor.sees({ text: "Added" });
  });
}

story("a visitor saves a deal and finds it among the saved ones", async (visitor, driver) => {
  await visitor.open("/");
  const title = await driver.evaluate(() => document.querySelector("article h2").textContent);
  await visitor.click({ role: "button", name: /^Save/ });
  await visitor.open("/saved");
  await visitor.sees({ role: "heading", name: title });
});

story("somebody registers, signs out and in again", async (visitor, driver) => {
  const email = "asha@example.com";
  await visitor.open("/");
  await visitor.click({ role: "link", name: "Login" });
  await visitor.click({ role: "link", name: "Register" });
  await visitor.fill({ label: "Username" }, "asha");
  await visitor.fill({ label: "Email" }, email);
  await visitor.fill({ label: "Password" }, PASSWORD);
  await visitor.click({ role: "button", name: "Register" });
  await visitor.sees({ text: "Enter the 6-digit code sent to your phone" });
  const code = await codeFor(email, "Your code to finish registering");
  await driver.type(await driver.element(() => document.activeElement), code);
  await visitor.click({ role: "button", name: "Logout" });
  await visitor.sees({ role: "link", name: "Login" });
  await visitor.signIn(email, PASSWORD);
  await visitor.sees({ role: "link", name: "asha" });
});

story("an administrator adds a deal, and a visitor buys it", async (person, driver) => {
  await person.signIn("owner@example.com", PASSWORD);
  await person.click({ role: "link", name: "Add Product" });
  const picture = `${shop.address}/kettle.svg`;
  const fields = { ...KETTLE, "Affiliate link": `${shop.address}/kettle`, "Picture 1": picture };
  for (const [label, value] of Object.entries(fields)) {
    await person.fill({ label }, value);
  }
  await person.choose({ label: "Category" }, "Home");
  await person.sees({ text: "₹1,137.49" });
  await person.click({ role: "button", name: "Add product" });
  // The form has a preview with the same heading.
  await person.until(() => window.location.pathname !== "/add-product");
  await person.sees({ role: "heading", name: KETTLE.Title });
  await person.click({ role: "button", name: /^Logout/ });
  await person.sees({ role: "link", name: "Login" });

  await person.open("/?search=whistling+copper");
  await person.sees({ text: /^0 Clicks$/ });
  await driver.inNewWindow(
    () => person.click({ role: "link", name: /^Buy It on/ }),
    async () => {
      await person.sees({ role: "heading", name: "The seller" });
      assert.equal(await driver.evaluate(() => window.location.href), `${shop.address}/kettle`);
      assert.equal(await driver.evaluate(() => window.opener), null);
    },
  );
  await person.sees({ text: /^1 Click$/ });
});

story("an administrator changes a price where it stands, and imports a file", async (owner, driver) => {
  await owner.signIn("owner@example.com", PASSWORD);
  await owner.open("/admin/products?search=kettle");
  const row = { role: "row", name: /Electric Kettle/ };
  await owner.click({ role: "button", name: /^Final price of .*₹1,080.00\. Change/, within: row });
  await owner.fill({ role: "textbox", name: /^Final price of/, within: row }, "999.50");
  await driver.press("Enter");
  await owner.sees({ text: /^Final price of “.*Kettle.*”: ₹1,080\.00 → ₹999\.50\.$/ });
  await owner.sees({ role: "button", name: /^Final price of .*₹999.50\. Change/, within: row });

  const rows = [
    "title,description,category,source,image,price,affiliate link",
    `Green tea,Green tea of 100 g,Home,Tea shop,${shop.address}/tea.svg,499,${shop.address}/tea`,
    `Tea cup,A cup for tea of 200 ml,Home,Tea shop,${shop.address}/cup.svg,99,${shop.address}/cup`,
  ];
  const file = join(folder, "tea.csv");
  await writeFile(file, rows.join("\n"));
  await owner.open("/admin/files");
  await owner.upload({ label: /^CSV, Excel/ }, file);
  await owner.sees({ text: /2 rows: 2 can be imported, 0 cannot\.$/ });
  await owner.click({ role: "button", name: "Import" });
  await owner.sees({ text: /^2 added, 0 changed/ });
  await owner.open("/?search=tea+cup");
  await owner.sees({ role: "heading", name: "Tea cup" });
});
