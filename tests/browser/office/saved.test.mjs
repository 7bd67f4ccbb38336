// owner@example.com makes deals of ten shops' saved pages and of shared texts, by thumb.

import assert from "node:assert/strict";
import { assertNoSidewaysScroll, PHONE, SHOP, signIn, visits } from "../browser.mjs";
import { bookmarkOf, capture, openSaved, press, TEXTS, thumb } from "./outside.mjs";

const { PASSWORD } = process.env;
const visit = visits();
const BY_THUMB = { viewport: PHONE, hasTouch: true, isMobile: true };

/** Taps before the form is open: the browser's menu and the bookmark, or "Share" and the shop. */
const BEFORE = 2;

/** Saved pages and where they stand, the product's id, what its form shows, and what it still asks for. */
const PAGES = [
  {
    file: "amazon.html",
    address: "https://www.amazon.in/Kavrel-AirBud/dp/B0ABCD1234/ref=sr_1_1?crid=1&qid=2&tag=mine-21#x",
    id: "B0ABCD1234",
    form: {
      title: "Kavrel AirBud 141 Bluetooth TWS Earbuds with 42H Playtime (Bold Black)",
      affiliateLink: "https://www.amazon.in/dp/B0ABCD1234?tag=mine-21",
      source: "Amazon",
      price: "4490",
      finalPrice: "1299",
      "images.0": "https://m.media-amazon.com/images/I/61airbud._SL1500_.jpg",
      averageRating: "3.9",
      totalRatings: "124269",
    },
    missing: "",
  },
  {
    file: "flipkart.html",
    address: "https://www.flipkart.com/kavrel/p/itm7c0281cd247be?pid=SMWXYZ&lid=1&affid=mine",
    id: "itm7c0281cd247be",
    form: {
      title: "Kavrel Pulse 2 Max 1.85'' Display, 10 Day Battery Smartwatch (Jet Black Strap, Regular)",
      affiliateLink: "https://www.flipkart.com/kavrel-pulse-2-max-smartwatch/p/itm7c0281cd247be?affid=mine",
      source: "Flipkart",
      price: "5999",
      finalPrice: "1099",
      "images.0": "http://rukmini1.flixcart.com/image/128/128/watch.jpeg",
      averageRating: "4.1",
      totalRatings: "76408",
    },
    missing: "Description",
  },
  {
    file: "myntra.html",
    address: "https://www.myntra.com/tshirts/neelvasa/neelvasa-men-black/1996777/buy",
    id: "1996777",
    form: {
      title: "Neelvasa Men Black Cotton T-shirt",
      affiliateLink: "https://www.myntra.com/tshirts/neelvasa/neelvasa-men-black/1996777/buy",
      source: "Myntra",
      price: "999",
      finalPrice: "399",
      "images.0": "https://assets.myntassets.com/h_720,q_90,w_540/v1/assets/images/1996777/1.jpg",
      averageRating: "4.2",
      totalRatings: "61600",
    },
    missing: "",
  },
  {
    file: "ajio.html",
    address: "https://www.ajio.com/neelvasa-slim-fit-shirt/p/466182340_blue",
    id: "466182340_blue",
    form: {
      title: "NEELVASA Slim Fit Checked Shirt",
      affiliateLink: "https://www.ajio.com/neelvasa-slim-fit-shirt/p/466182340_blue",
      source: "Ajio",
      price: "1499",
      finalPrice: "699",
      "images.0": "https://assets.ajio.com/medias/shirt-1117Wx1400H.jpg",
      averageRating: "4",
      totalRatings: "1200",
    },
    missing: "",
  },
  {
    file: "meesho.html",
    address: "https://www.meesho.com/trendy-rayon-printed-kurti/p/4x9abc",
    id: "4x9abc",
    form: {
      title: "Trendy Rayon Printed Kurti",
      affiliateLink: "https://www.meesho.com/trendy-rayon-printed-kurti/p/4x9abc",
      source: "Meesho",
      price: "349",
      finalPrice: "",
      "images.0": "https://images.meesho.com/images/products/4x9abc/1_512.jpg",
      averageRating: "4",
      totalRatings: "18231",
    },
    missing: "",
  },
  {
    file: "nykaa.html",
    address: "https://www.nykaa.com/rangoli-kohl-kajal/p/12345",
    id: "12345",
    form: {
      title: "Rangoli Kohl Kajal (0.35 g)",
      affiliateLink: "https://www.nykaa.com/rangoli-kohl-kajal/p/12345",
      source: "Nykaa",
      price: "250",
      finalPrice: "187",
      "images.0": "https://images-static.nykaa.com/media/catalog/product/kajal.jpg",
      averageRating: "4.3",
      totalRatings: "40123",
    },
    missing: "Category",
  },
  {
    file: "croma.html",
    address: "https://www.croma.com/kavrel-split-ac/p/300123",
    id: "300123",
    form: {
      title: "Kavrel 5 in 1 Convertible 1.5 Ton 3 Star Inverter Split AC",
      affiliateLink: "https://www.croma.com/kavrel-split-ac/p/300123",
      source: "Croma",
      price: "57990",
      finalPrice: "36990",
      "images.0": "https://media-ik.croma.com/prod/ac_600.png",
      averageRating: "4.4",
      totalRatings: "312",
    },
    missing: "",
  },
  {
    file: "tatacliq.html",
    address: "https://www.tatacliq.com/bansori/p-mp000000012345678?cid=x",
    id: "mp000000012345678",
    form: {
      title: "Bansori Green Cotton King Bed Sheet with 2 Pillow Covers",
      affiliateLink: "https://www.tatacliq.com/bansori-bed-sheet/p-mp000000012345678",
      source: "Tata Cliq",
      price: "2499",
      finalPrice: "1249",
      "images.0": "https://img.tatacliq.com/images/i8/658Wx734H/sheet.jpeg",
      averageRating: "",
      totalRatings: "",
    },
    missing: "Description",
  },
  {
    file: "jiomart.html",
    address: "https://www.jiomart.com/p/groceries/pahadi-basmati-rice/490012345",
    id: "490012345",
    form: {
      title: "Pahadi Basmati Rice 5 kg",
      affiliateLink: "https://www.jiomart.com/p/groceries/pahadi-basmati-rice/490012345",
      source: "JioMart",
      price: "899",
      finalPrice: "549",
      "images.0": "https://www.jiomart.com/images/product/original/rice.jpg",
      averageRating: "",
      totalRatings: "",
    },
    missing: "Category",
  },
  {
    file: "reliancedigital.html",
    address: "https://www.reliancedigital.in/kavrel-nova/p/493838",
    id: "493838",
    form: {
      title: "Kavrel Nova 5G 128 GB, Blue, Mobile Phone",
      affiliateLink: "https://www.reliancedigital.in/kavrel-nova/p/493838",
      source: "Reliance Digital",
      price: "22999",
      finalPrice: "21159",
      "images.0": "https://www.reliancedigital.in/medias/kavrel-nova.jpg",
      averageRating: "4.5",
      totalRatings: "88",
    },
    missing: "",
  },
];

/** Text that a thumb types into fields that nothing has filled, by their labels. */
const TYPED = {
  Description: "As the shop describes it.",
  Price: "999",
  "Picture 1": "https://pictures.example/1.jpg",
  "Average rating": "4",
  "Total ratings": "10",
};

/** Fills in by thumb what the form says is missing and adds the deal; returns it, and what that took. */
async function finish(form, missing) {
  const sentence = missing === "" ? "Everything is filled in." : `Still to fill in: ${missing}.`;
  await form.getByText(sentence, { exact: true }).waitFor();
  // The focus moves when no suggestion of a category is awaited any more.
  await form.waitForFunction(() => document.activeElement?.closest("form, [aria-label='Captured deal']"));
  const hand = thumb();
  for (const label of missing.split(", ").filter(Boolean)) {
    const field = form.getByLabel(label, { exact: true });
    if (label === "Category") {
      await hand.choose(field, "Home");
    } else {
      await hand.type(field, TYPED[label]);
    }
  }
  await hand.tap(form.getByRole("button", { name: "Add product" }));
  await form.waitForURL("**/details/*");
  const { product } = await form.evaluate(async () => {
    const id = window.location.pathname.split("/").at(-1);
    return (await fetch(`/product/product/${id}`)).json();
  });
  assert.equal(product.state, "live");
  return { product, taps: hand.taps, typed: hand.typed };
}

/** Returns the product's id that the shop finds in a link. */
async function idIn(form, link) {
  return form.evaluate(async (link) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/product/link", { method: "POST", headers, body: JSON.stringify({ link }) });
    return (await answer.json()).productId;
  }, link);
}

visit(
  "pages of ten shops become live deals by the bookmark",
  async (page, context) => {
    await signIn(page, "owner@example.com", PASSWORD);
    const script = await bookmarkOf(page);
    for (const { file, address, id, form: fields, missing } of PAGES) {
      const form = await capture(context, script, file, address);
      assert.equal(new URL(form.url()).origin, new URL(SHOP).origin);
      await form.getByText(`From ${fields.source}. Check what is filled in.`).waitFor();
      for (const [name, value] of Object.entries(fields)) {
        assert.equal(await form.locator(`form [name="${name}"]`).inputValue(), value, `${file}: ${name}`);
      }
      assert.equal(await idIn(form, fields.affiliateLink), id, file);
      await assertNoSidewaysScroll(form, file);
      const { product, taps, typed } = await finish(form, missing);
      if (missing === "") {
        assert.ok(BEFORE + taps <= 4 && typed === 0, `${file}: ${BEFORE + taps} taps, ${typed} fields typed`);
      }
      assert.deepEqual(
        [product.title, product.source, String(product.price), String(product.finalPrice)],
        [fields.title, fields.source, fields.price, fields.finalPrice || fields.price],
      );
      await form.close();
    }
  },
  BY_THUMB,
);

visit("capturing a page without a product opens no form", async (page, context) => {
  await signIn(page, "owner@example.com", PASSWORD);
  const script = await bookmarkOf(page);
  for (const [file, address] of [
    ["robot.html", "https://www.amazon.in/dp/B0ABCD1234"],
    ["search.html", "https://www.amazon.in/s?k=earbuds"],
  ]) {
    const shop = await openSaved(context, file, address);
    const dialog = shop.waitForEvent("dialog");
    const pressed = press(context, shop, script);
    const said = await dialog;
    assert.match(said.message(), /^There is no product on this page\. Open /, file);
    await said.dismiss();
    await pressed;
    assert.equal(shop.url(), address);
    await shop.close();
  }
  assert.equal(context.pages().length, 1);
});

visit("the saved pages refuse scripts that are not their own", async (_page, context) => {
  const [{ file, address }] = PAGES;
  const shop = await openSaved(context, file, address);
  const refused = shop.waitForEvent("console", (message) => message.text().includes("Content Security Policy"));
  await shop.evaluate(() => {
    window.location.href = "javascript:document.title='x'";
  });
  await refused;
  assert.match(await shop.title(), /^Kavrel AirBud 141/);
});

/** What the forms of the shared texts still ask for, by the shop, and the taps and fields that takes. */
const FROM_TEXTS = {
  Amazon: ["Description, Price, Picture 1", 4, 3],
  Flipkart: ["Description, Price, Picture 1", 4, 3],
  Myntra: ["Description, Picture 1", 3, 2],
  Meesho: ["Description, Picture 1", 3, 2],
  Ajio: ["Description, Picture 1", 3, 2],
};

visit(
  "five shared texts become live deals",
  async (page) => {
    await signIn(page, "owner@example.com", PASSWORD);
    for (const [text, title, seller] of TEXTS) {
      await page.goto(`/add-product?${new URLSearchParams({ text })}`);
      await page.getByText(`From ${seller}. Check what is filled in.`).waitFor();
      assert.equal(await page.getByLabel("Title", { exact: true }).inputValue(), title);
      const [missing, ...counts] = FROM_TEXTS[seller];
      const { taps, typed } = await finish(page, missing);
      assert.deepEqual([taps, typed], counts, seller);
    }
  },
  BY_THUMB,
);
