import { expect, it } from "vitest";
import { changeWords } from "./change-words";

const TIME = "2026-11-24T22:06:17.664Z";

it.each([
  [{ discount: { from: 20, to: 55.5 } }, "Discount changed from 20% to 55.5%"],
  [{ finalPrice: { from: 1605, to: 123456 } }, "Final price changed from ₹1,605.00 to ₹1,23,456.00"],
  [{ priceChange: { to: "10% less" } }, "Final prices: 10% less"],
  [{ discount: { to: 64 } }, "Discount set to 64%"],
  [{ endsAt: { from: TIME, to: null } }, "Ends set to never"],
  [{ startsAt: { from: null, to: TIME } }, "Starts set to 25 Nov 2026, 03:36"],
  [{ status: { from: "draft", to: "live" } }, "Status changed from Draft to Live"],
  [{ images: { from: ["a", "b"], to: ["a"] } }, "Pictures changed from 2 to 1"],
  [{ offers: { from: [{ kind: "bank" }], to: [{ kind: "coupon" }] } }, "Offers changed"],
  [{ offers: { from: [], to: [{ kind: "coupon" }] } }, "Offers set to 1"],
  [{ description: { from: "A.", to: "B." } }, "Description changed"],
  [{ struckPrice: { from: 10, at: TIME } }, "Removed price: ₹10.00 of 25 Nov 2026, 03:36"],
  [{ added: 1200 }, "1,200 added"],
  [{ tagline: { from: "", to: "Cheap" } }, "Tagline set to Cheap"],
  [{ accent: { from: "#aa0000", to: "" } }, "Colour set to the default colour"],
  [{ mark: { from: "", to: "svg, 900 bytes" } }, "Logo added"],
  [{ "page.about": { from: "", to: "# About us\n\nWe …" } }, "Page “About us” added"],
  [{ "page.about": { from: "# About us\n\nWe …", to: "" } }, "Page “About us” removed"],
  [{ "source.Amazon": { from: "", to: "amazon-india" } }, "Rules of Amazon set to those of Amazon India"],
  [
    { "source.Amazon": { from: "open", to: '{"preset":"own"}' } },
    "Rules of Amazon changed from none to its own",
  ],
  [{ "tag.Amazon": { from: "", to: "x-21" } }, "Tag of Amazon set to x-21"],
  [{ "shop.Corner": { from: "", to: "corner.example, /p/{id}, ref" } }, "Link rules of Corner added"],
  [{ "secondFactor.asha": { from: "off", to: "on" } }, "Second factor of asha switched on"],
  [{ "recoveryCodes.asha": { from: "10", to: "9" } }, "Recovery codes of asha: 9 left"],
  [
    { "category.Kitchen": { from: "", to: "Home › Kitchen, cooking-pot on ground 4" } },
    "Category “Kitchen” added",
  ],
  [
    { "category.Kitchen": { from: "Kitchen, package on ground 4", to: "Home › Kitchen, pot on ground 4" } },
    "Category “Kitchen” changed from Kitchen to Home › Kitchen",
  ],
  [{ "channel.Loot": { from: "", to: "telegram, by rule: minDiscount=40" } }, "Channel “Loot” added"],
  [
    {
      "channel.Loot": {
        from: "telegram, by rule: minDiscount=40",
        to: "telegram, by rule: minDiscount=40, off",
      },
    },
    "Channel “Loot” switched off",
  ],
  [{ "collection.Gifts": { from: "rule tag=gift", to: "" } }, "Collection “Gifts” removed"],
  [{ frontPage: { from: "[]", to: "[{}]" } }, "Sections of the home page changed"],
  [
    {
      queue: {
        from: "2 an hour from 09:00 to 21:00, to every channel",
        to: "2 an hour from 09:00 to 21:00, to every channel, paused",
      },
    },
    "Queue paused",
  ],
  [
    {
      queue: {
        from: "2 an hour from 09:00 to 21:00, to every channel, paused",
        to: "2 an hour from 09:00 to 21:00, to every channel",
      },
    },
    "Queue continued",
  ],
  [
    {
      queue: {
        from: "2 an hour from 09:00 to 21:00, to every channel",
        to: "4 an hour from 09:00 to 21:00, to every channel",
      },
    },
    "Queue changed from 2 an hour from 09:00 to 21:00 to 4 an hour from 09:00 to 21:00",
  ],
  [{ links: 1000 }, "1,000 links"],
  [
    { "key.nightly": { from: "", to: "import until 2027-01-01" } },
    "API key “nightly” added: import until 2027-01-01",
  ],
  [{ "person.a@b.co": { from: "", to: "invited as editor" } }, "a@b.co invited as editor"],
  [{ "person.a@b.co": { from: "invited", to: "editor" } }, "a@b.co is now editor, before: invited"],
  [{ "person.a@b.co": { from: "", to: "added as admin" } }, "a@b.co added as administrator"],
  [{ "person.a@b.co": { from: "invited", to: "" } }, "Invitation of a@b.co withdrawn"],
  [{ "person.a@b.co": { from: "editor", to: "" } }, "a@b.co removed (editor)"],
])("describes %j in words", (details, words) => {
  expect(changeWords(details).map((line) => line.replace(/[\u202f\u00a0]/g, " "))).toEqual([words]);
});
