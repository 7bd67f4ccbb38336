// Files of any origin in the office: what a file is, categories, mappings by name, refused rows.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import {
  assertAccessible,
  assertNoSidewaysScroll,
  DESKTOP,
  openOffice,
  PHONE,
  said,
  visits,
} from "../browser.mjs";

const visit = visits();

const FILE = [
  "title;description;mrp;price;link;image;department;note",
  "Green tea;Green tea of 100 g;₹499;399,00;https://tea.example/1;https://p.example/1.jpg;Hot drinks;x",
  "Tea cup;A cup for tea of 200 ml;$5;;https://tea.example/2;https://p.example/2.jpg;Hot drinks;",
  "Tea pot;A pot for tea of 1 l;300;;https://tea.example/3;https://p.example/3.jpg;Kitchen;",
  "",
].join("\r\n");

function chooseFile(page, name = "tea.csv", text = `\ufeff${FILE}`) {
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(text) };
  return page.getByLabel(/^CSV, Excel/).setInputFiles(file);
}

/** Fails where a button is out of sight at the top, in the middle or at the end of the page. */
async function assertInReach(page, name) {
  const button = page.getByRole("button", { name });
  for (const part of [0, 0.5, 1]) {
    await page.evaluate((part) => window.scrollTo(0, part * document.documentElement.scrollHeight), part);
    const box = await button.boundingBox();
    const { height } = page.viewportSize();
    assert.ok(box.y >= 0 && box.y + box.height <= height, `${name} is at ${box.y} of ${height} px`);
    // Nothing lies over it.
    await button.click({ trial: true });
  }
}

visit("the example file can be imported as it is", async (page) => {
  await openOffice(page, "/admin/files");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Example file" }).click(),
  ]);
  await page.getByLabel(/^CSV, Excel/).setInputFiles(await download.path());
  await page.getByText(/ is a table \(CSV\) with 2 rows: 2 can be imported, 0 cannot\.$/).waitFor();
  await page.getByText("₹749.00 · 50% off · Clothing · Myntra").waitFor();
});

for (const [viewport, colorScheme] of [
  [PHONE, "dark"],
  [DESKTOP, "light"],
]) {
  visit(
    `categories of an imported table are mapped and the mapping saved, ${viewport.width} px, ${colorScheme}`,
    async (page) => {
      const name = `Tea ${viewport.width} ${colorScheme}`;
      await openOffice(page, "/admin/files");
      await chooseFile(page);
      await page.getByText("tea.csv is a table (CSV) with 3 rows: 0 can be imported, 3 cannot.").waitFor();
      await page.getByText("No column was found for the source.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Import", exact: true }).count(), 0);
      await page.getByText("Change the other columns").click();
      // No row is valid: the cards show what the first one says, and why it is refused.
      await page.getByRole("group", { name: /^Title/ }).getByText("Row 2: Green tea", { exact: true }).waitFor();
      await page.getByRole("group", { name: /^Category/ }).getByText("Row 2: “Hot drinks” is not one of your categories").waitFor();
      await assertAccessible(page, "a file without a valid row");
      await page.getByLabel("Seller if it has none").fill("Tea shop");
      await page.keyboard.press("Enter");
      await page.getByText("1 can be imported, 2 cannot.").waitFor();
      await assertInReach(page, "Import the valid rows");
      await page.getByText("Hot drinks 2 rows").waitFor();
      await page.getByText("Row 3: Price: “$5” is in dollars: write prices in rupees.").waitFor();
      await page.getByRole("region", { name: "Unused columns" }).getByText("note").waitFor();
      await assertAccessible(page, "a file");
      await assertNoSidewaysScroll(page, "a file");

      await page.getByLabel(/^Hot drinks/).selectOption("Home");
      await page.getByRole("button", { name: "Use these" }).click();
      await page.getByText("2 can be imported, 1 cannot.").waitFor();
      await page.getByText("Green tea", { exact: true }).waitFor();
      await page.getByText("₹399.00 · 20% off · Home · Tea shop").waitFor();

      await page.getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Save column settings" }).click();
      await said(page, `Saved as ${name}`);
      await page.getByRole("button", { name: "Cancel" }).click();
      await chooseFile(page);
      await page.getByLabel(/^Column settings/).selectOption(name);
      await page.getByLabel("Seller if it has none").fill("Tea shop");
      // By key: the preview may come between press and release of a pointer, and move the button.
      await page.keyboard.press("Enter");
      await page.getByText("2 can be imported, 1 cannot.").waitFor();

      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download rows with errors" }).click(),
      ]);
      const refused = await readFile(await download.path(), "utf8");
      assert.match(refused, /Refused because\r\nTea cup,.*dollars/);

      await page.getByRole("button", { name: "Try it first" }).click();
      await page.getByText(/[02] will be added, 0 changed, [02] stay as they are, 1 is refused\./).waitFor();
      await page.getByRole("button", { name: "Import the valid rows" }).click();
      await said(page, "added, 0 changed");
    },
    { viewport, colorScheme },
  );
}

for (const [viewport, colorScheme] of [
  [PHONE, "dark"],
  [DESKTOP, "light"],
]) {
  visit(
    `import columns are chosen by keyboard, ${viewport.width} px, ${colorScheme}`,
    async (page) => {
      const file = [
        "उत्पाद;text;mrp;offer;link;image;ends",
        "Green tea;Green tea of 100 g;₹1,29,900;₹99,900;https://tea.example/9;https://p.example/1.jpg;12/31/2099",
        "",
      ];
      await openOffice(page, "/admin/files");
      await chooseFile(page, "week.csv", file.join("\n"));
      const title = page.getByLabel("Column of Title");
      await title.waitFor();
      await page.getByText("No column was found for the title, the description").waitFor();
      await title.focus();
      await page.keyboard.press("ArrowDown");
      assert.equal(await title.inputValue(), "उत्पाद");
      await page.getByLabel("Column of Description").selectOption("text");
      await page.getByText(/^Recognized: .*Pictures from “image”/).waitFor();
      await page.getByText("Change the other columns").press("Enter");
      await page.getByLabel("Column of Final price").selectOption("offer");
      await page.getByText("More about Source", { exact: true }).click();
      await page.getByLabel("Source for rows without one").fill("Tea shop");
      await page.getByText("More about Category").click();
      await page.getByLabel("Category for rows without one").selectOption("Home");
      await page.getByText("More about Ends").click();
      await page.getByLabel("Order in Ends").selectOption("mdy");
      await page.getByText("1 can be imported, 0 cannot.").waitFor();
      await page.getByText("Row 2: Green tea", { exact: true }).waitFor();
      await page.getByText("₹99,900.00 · 23% off · Home · Tea shop").waitFor();

      await page.getByText("More about Affiliate link").click();
      const before = page.getByLabel("Text before each link");
      await before.fill("go.example/?url=");
      await page.keyboard.press("Tab");
      await page.getByText("Begin it with https://, as the browser shows it.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Import", exact: true }).isDisabled(), true);
      assert.equal(await before.inputValue(), "go.example/?url=");
      await assertAccessible(page, "a mapping");
      await assertNoSidewaysScroll(page, "a mapping");
      await before.fill("");
      await page.locator("button:enabled", { hasText: "Try it first" }).click();
      await page.getByText("1 will be added, 0 changed, 0 stay as they are, 0 are refused.").waitFor();
    },
    { viewport, colorScheme },
  );
}

for (const [viewport, colorScheme] of [
  [PHONE, "light"],
  [DESKTOP, "dark"],
]) {
  visit(
    `an ambiguous link column is chosen by keyboard, ${viewport.width} px, ${colorScheme}`,
    async (page) => {
      const file = [
        "title,description,category,source,image,price,affiliate url,tracking url",
        "Green tea,Green tea of 100 g,Home,Tea shop,https://p.example/1.jpg,499,https://a.example/1,https://b.example/1",
        "",
      ];
      await openOffice(page, "/admin/files");
      await chooseFile(page, "week.csv", file.join("\n"));
      await page.getByText("“affiliate url” and “tracking url” could each be the affiliate link: choose one below.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Import", exact: true }).count(), 0);
      await assertAccessible(page, "a question");
      await assertNoSidewaysScroll(page, "a question");
      await page.getByRole("button", { name: "tracking url https://b.example/1" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Import", exact: true }).waitFor();
      const link = page.getByLabel("Column of Affiliate link");
      assert.equal(await link.inputValue(), "tracking url");
      assert.equal(await link.evaluate((it) => it === document.activeElement), true);
      await page.getByText("Row 2: https://b.example/1").waitFor();
    },
    { viewport, colorScheme },
  );
}
