// A shop that has no products yet, and its administrator, owner@example.com.

import assert from "node:assert/strict";
import { assertAccessible, PHONE, said, signIn, visits } from "./browser.mjs";

const { PASSWORD } = process.env;
const visit = visits();

visit("visitors of a shop without products read that it opens soon", async (page) => {
  await page.goto("/");
  await page.getByText("Opening soon").waitFor();
  await assertAccessible(page, "an empty shop");
});

visit(
  "an owner is led through what there is to do first, and what is done is marked",
  async (page) => {
    await signIn(page, "owner@example.com", PASSWORD);
    await page.goto("/admin");
    const steps = page.getByRole("region", { name: "Open your shop" });
    await steps.getByText("1 of 6 done").waitFor();
    assert.equal(await steps.getByRole("listitem").count(), 6);
    await page.getByText("Nothing was clicked in the last 30 days.").waitFor();
    await page.getByText("Every search found something.").waitFor();
    await assertAccessible(page, "an empty office");
    await steps.getByRole("link", { name: "Go: Name your shop" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Sasta Adda");
    await page.getByRole("button", { name: "Save", exact: true }).first().click();
    await said(page, "Settings saved");

    await page.getByRole("button", { name: "Send a test mail to me" }).click();
    await page.getByText(/No mail server is configured|is on its way/).waitFor();
    await page.goto("/admin");
    await steps.getByText("Name your shop (done)").waitFor();
    await page.goto("/admin/sources");
    await page.getByText("There are no products yet, so no seller either.").waitFor();
    await page.goto("/admin/products");
    await page.getByText("There is none.").waitFor();
  },
  { viewport: PHONE },
);
