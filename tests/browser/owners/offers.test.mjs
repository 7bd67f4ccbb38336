// Offers of a seller: typed once in the office, and seen by visitors with each of its deals.

import assert from "node:assert/strict";
import {
  assertAccessible,
  assertNoSidewaysScroll,
  openOffice,
  SCREENS,
  said,
  visits,
} from "../browser.mjs";

const visit = visits();

for (const [name, viewport, colorScheme] of SCREENS) {
  visit(
    `an owner adds, changes and deletes an offer of a seller on ${name}`,
    async (page) => {
      await openOffice(page, "/admin/sources");
      const flipkart = page.getByRole("rowgroup", { name: "Flipkart", exact: true });
      await flipkart.getByRole("button", { name: "Offers of Flipkart: No offers" }).click();
      const offers = flipkart.getByRole("region", { name: "Offers of Flipkart" });
      await offers.getByRole("button", { name: "Add an offer" }).click();
      await offers.getByLabel("Kind").selectOption("Bank offer");
      await offers.getByLabel("Percent off").fill("10");
      await offers.getByLabel("For deals that cost at least").fill("100");
      await offers.getByLabel("Ends (India)").fill("2020-01-01T10:00");
      await offers.getByRole("button", { name: "Add offer" }).click();
      await offers.getByText("Say whose offer it is, like HDFC card.").waitFor();
      await offers.getByLabel("Who can use it").fill("HDFC card");
      await offers.getByRole("button", { name: "Add offer" }).click();
      await offers.getByText("The end is over: 1 Jan 2020, 10:00 (India).").first().waitFor();
      await assertAccessible(page, "the form of an offer");
      await assertNoSidewaysScroll(page, "the form of an offer");
      await offers.getByLabel("Ends (India)").fill("2099-01-01T10:00");
      await offers.getByRole("button", { name: "Add offer" }).click();
      await said(page, "The offer is added to Flipkart");
      await offers.getByText("Flipkart deals from ₹100 · now until 1 Jan 2099, 10:00").waitFor();
      await flipkart.getByRole("button", { name: "Offers of Flipkart: 1 offer" }).waitFor();
      await offers.getByRole("button", { name: /^Change Bank offer/ }).click();
      assert.equal(await offers.getByLabel("For deals that cost at least").inputValue(), "100");
      await offers.getByLabel("For deals that cost at least").fill("");
      await offers.getByLabel("Percent off").fill("20");
      await offers.getByRole("button", { name: "Save offer" }).click();
      await offers.getByText("All Flipkart deals · now until 1 Jan 2099, 10:00").waitFor();

      await page.goto("/?source=Flipkart");
      await page.getByText(/^₹[\d,.]+ with (code and )?HDFC card$/).first().waitFor();
      await page.locator(".card h2 a, .card h3 a").first().click();
      const offer = page.locator(".offers");
      await offer.getByText("20% off").first().waitFor();
      await offer.getByText(/HDFC card/).first().waitFor();
      await assertAccessible(page, "a deal with the offer of its seller");
      await assertNoSidewaysScroll(page, "a deal with the offer of its seller");
      // The form of the deal has its own offers only.
      const [, id] = /\/details\/([^/?]+)/.exec(page.url());
      await page.goto(`/update-product/${id}`);
      await page.getByRole("button", { name: "Add offer" }).waitFor();
      assert.equal(await page.getByLabel("Who can use it").count(), 0);

      await page.goto("/admin/sources");
      await flipkart.getByRole("button", { name: "Offers of Flipkart: 1 offer" }).click();
      await offers.getByText("All Flipkart deals · now until 1 Jan 2099, 10:00").waitFor();
      await assertAccessible(page, "the offers of a seller");
      await assertNoSidewaysScroll(page, "the offers of a seller");
      await offers.getByRole("button", { name: /^Delete Bank offer/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await said(page, "The offer is deleted");
      await flipkart.getByRole("button", { name: "Offers of Flipkart: No offers" }).waitFor();
    },
    { viewport, colorScheme },
  );
}
