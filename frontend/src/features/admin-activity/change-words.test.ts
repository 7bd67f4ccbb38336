import { expect, it } from "vitest";
import { changeWords } from "./change-words";

const TIME = "2026-11-24T22:06:17.664Z";

it.each([
  [{ discount: { from: 20, to: 55.5 } }, "Discount: 20% → 55.5%"],
  [{ finalPrice: { from: 1605, to: 123456 } }, "Final price: ₹1,605.00 → ₹1,23,456.00"],
  [{ priceChange: { to: "10% less" } }, "Final prices: 10% less"],
  [{ discount: { to: 64 } }, "Discount: 64%"],
  [{ endsAt: { from: TIME, to: null } }, "Ends: 25 Nov 2026, 03:36 → never"],
  [{ startsAt: { from: null, to: TIME } }, "Starts: at once → 25 Nov 2026, 03:36"],
  [{ status: { from: "draft", to: "live" } }, "Status: Draft → Live"],
  [{ images: { from: ["a", "b"], to: ["a"] } }, "Images: 2 → 1"],
  [{ offers: { from: [{ kind: "bank" }], to: [{ kind: "coupon" }] } }, "Offers changed"],
  [{ offers: { from: [], to: [{ kind: "coupon" }] } }, "Offers: none → 1"],
  [{ description: { from: "A.", to: "B." } }, "Description changed"],
  [{ struckPrice: { from: 10, at: TIME } }, "Removed price: ₹10.00 of 25 Nov 2026, 03:36"],
  [{ added: 1200 }, "1,200 added"],
  [{ tagline: { from: "", to: "Cheap" } }, "Tagline: none → Cheap"],
  [{ accent: { from: "#aa0000", to: "" } }, "Colour: #aa0000 → default colour"],
  [{ mark: { from: "", to: "svg, 900 bytes" } }, "Logo added"],
  [{ "page.about": { from: "", to: "# About us\n\nWe …" } }, "Page “About us” added"],
  [{ "page.about": { from: "# About us\n\nWe …", to: "" } }, "Page “About us” removed"],
  [
    { "source.Amazon": { from: "", to: "amazon-india" } },
    "What is shown of Amazon: not chosen → what Amazon’s rules allow",
  ],
  [
    { "source.Amazon": { from: "open", to: '{"preset":"own"}' } },
    "What is shown of Amazon: all → what own rules allow",
  ],
  [{ "tag.Amazon": { from: "", to: "x-21" } }, "Tag of Amazon: none → x-21"],
  [{ "shop.Corner": { from: "", to: "corner.example, /p/{id}, ref" } }, "Shop Corner added"],
  [{ "secondFactor.asha": { from: "off", to: "on" } }, "Second factor of asha: off → on"],
  [{ "recoveryCodes.asha": { from: "10", to: "9" } }, "Recovery codes of asha: 10 → 9"],
  [{ seller: { from: "amazon.in", to: "Amazon" } }, "Seller amazon.in is called Amazon"],
  [
    { "category.Tea": { from: "", to: "Home › Tea, icon cup, background 4" } },
    "Category Tea added: Home › Tea, icon cup, background 4",
  ],
  [{ "channel.Loot": { from: "nowhere", to: "" } }, "Channel Loot removed: nowhere"],
  [{ "offers.Croma": { from: "10% off", to: "20% off" } }, "Offer of Croma: 10% off → 20% off"],
  [{ links: 1000 }, "1,000 links"],
  [
    { "key.nightly": { from: "", to: "import until 2027-01-01" } },
    "API key “nightly”: none → import until 2027-01-01",
  ],
  [{ "person.a@b.co": { from: "", to: "invited as editor" } }, "a@b.co invited as editor"],
  [{ "person.a@b.co": { from: "invited", to: "editor" } }, "a@b.co: invited → editor"],
  [{ "person.a@b.co": { from: "", to: "added as admin" } }, "a@b.co added as administrator"],
  [{ "person.a@b.co": { from: "invited", to: "" } }, "Invitation of a@b.co withdrawn"],
  [{ "person.a@b.co": { from: "editor", to: "" } }, "a@b.co removed (editor)"],
])("describes %j in words", (details, words) => {
  expect(changeWords(details).map((line) => line.replace(/[\u202f\u00a0]/g, " "))).toEqual([words]);
});
