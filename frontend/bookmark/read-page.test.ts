// @vitest-environment node

import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";
import { describe, expect, it } from "vitest";
import { readPage } from "./read-page";

const PAGES = new URL("../../tests/fixtures/capture/", import.meta.url);

function read(file: string, address: string) {
  const page = new JSDOM(readFileSync(new URL(file, PAGES), "utf8"), { url: address }).window.document;
  const fields = readPage(page, address);
  return fields && { ...Object.fromEntries(fields), images: fields.getAll("image") };
}

const PRODUCTS = [
  {
    file: "amazon.html",
    address: "https://www.amazon.in/Kavrel-AirBud/dp/B0ABCD1234/ref=sr_1_1?crid=1&qid=2&tag=mine-21#x",
    is: {
      title: "Kavrel AirBud 141 Bluetooth TWS Earbuds with 42H Playtime (Bold Black)",
      url: "https://www.amazon.in/dp/B0ABCD1234?tag=mine-21",
      price: "1299",
      mrp: "4490",
      rating: "3.9",
      ratings: "124269",
      description: "Plays for 42 hours with its case.\nCharges for 75 minutes in 5.",
      images: ["https://m.media-amazon.com/images/I/61airbud._SL1500_.jpg"],
    },
  },
  {
    file: "flipkart.html",
    address: "https://www.flipkart.com/kavrel/p/itm7c0281cd247be?pid=SMWXYZ&lid=1&affid=mine",
    is: {
      title: "Kavrel Pulse 2 Max 1.85'' Display, 10 Day Battery Smartwatch (Jet Black Strap, Regular)",
      url: "https://www.flipkart.com/kavrel-pulse-2-max-smartwatch/p/itm7c0281cd247be?affid=mine",
      price: "1099",
      mrp: "5999",
      rating: "4.1",
      ratings: "76408",
    },
  },
  {
    file: "myntra.html",
    address: "https://www.myntra.com/tshirts/neelvasa/neelvasa-men-black/1996777/buy",
    is: {
      title: "Neelvasa Men Black Cotton T-shirt",
      price: "399",
      mrp: "999",
      rating: "4.2",
      ratings: "61600",
      description: "Black solid T-shirt with a round neck and short sleeves",
    },
  },
  {
    file: "ajio.html",
    address: "https://www.ajio.com/neelvasa-slim-fit-shirt/p/466182340_blue",
    is: {
      title: "NEELVASA Slim Fit Checked Shirt",
      price: "699",
      mrp: "1499",
      rating: "4",
      ratings: "1200",
    },
  },
  {
    file: "meesho.html",
    address: "https://www.meesho.com/trendy-rayon-printed-kurti/p/4x9abc",
    is: {
      title: "Trendy Rayon Printed Kurti",
      price: "349",
      rating: "4",
      ratings: "18231",
      description: "Fabric: Rayon Sleeve: three-quarter",
    },
  },
  {
    file: "nykaa.html",
    address: "https://www.nykaa.com/rangoli-kohl-kajal/p/12345",
    is: {
      title: "Rangoli Kohl Kajal (0.35 g)",
      price: "187",
      mrp: "250",
      rating: "4.3",
      ratings: "40123",
      description: "A kajal that stays for 22 hours .",
      images: ["https://images-static.nykaa.com/media/catalog/product/kajal.jpg"],
      category: "Makeup > Eyes > Kajal",
    },
  },
  {
    file: "croma.html",
    address: "https://www.croma.com/kavrel-split-ac/p/300123",
    is: {
      title: "Kavrel 5 in 1 Convertible 1.5 Ton 3 Star Inverter Split AC",
      price: "36990",
      mrp: "57990",
      rating: "4.4",
      ratings: "312",
    },
  },
  {
    file: "tatacliq.html",
    address: "https://www.tatacliq.com/bansori/p-mp000000012345678?cid=x",
    is: {
      title: "Bansori Green Cotton King Bed Sheet with 2 Pillow Covers",
      url: "https://www.tatacliq.com/bansori-bed-sheet/p-mp000000012345678",
      price: "1249",
      mrp: "2499",
      images: ["https://img.tatacliq.com/images/i8/658Wx734H/sheet.jpeg"],
    },
  },
  {
    file: "jiomart.html",
    address: "https://www.jiomart.com/p/groceries/pahadi-basmati-rice/490012345",
    is: { title: "Pahadi Basmati Rice 5 kg", price: "549", mrp: "899", description: "Aged for two years." },
  },
  {
    file: "reliancedigital.html",
    address: "https://www.reliancedigital.in/kavrel-nova/p/493838",
    is: {
      title: "Kavrel Nova 5G 128 GB, Blue, Mobile Phone",
      price: "21159",
      mrp: "22999",
      rating: "4.5",
      ratings: "88",
      images: ["https://www.reliancedigital.in/medias/kavrel-nova.jpg"],
    },
  },
  {
    file: "boutique.html",
    address: "https://diya.example/lamp?utm_source=x",
    is: {
      title: "Clay lamp",
      price: "1250",
      source: "Diya & Co",
      url: "https://diya.example/lamp?utm_source=x",
    },
  },
];

describe("a product's page", () => {
  it.each(PRODUCTS)("$file names title, link, price and pictures", ({ file, address, is }) => {
    const found = read(file, address);
    expect(found).toMatchObject(is);
    expect(found?.images.every((image) => /^https?:/.test(image))).toBe(true);
  });

  it("takes no price in dollars and no picture of its own making", () => {
    expect(read("dollars.html", "https://diya.example/lamp")).toEqual({
      title: "Clay lamp",
      url: "https://diya.example/lamp",
      images: [],
    });
  });
});

it.each([
  ["robot.html", "https://www.amazon.in/dp/B0ABCD1234"],
  ["search.html", "https://www.amazon.in/s?k=earbuds"],
])("%s is no product", (file, address) => {
  expect(read(file, address)).toBeUndefined();
});

interface Page {
  shape: string;
  address: string;
  html: string;
  right: { product?: boolean; soldOut?: boolean; doubt?: string[] } & Record<string, unknown>;
}

const SHAPES: Page[] = JSON.parse(readFileSync(new URL("../captured-pages.json", PAGES), "utf8"));
/** Names of the fields as the table has them. */
const FIELDS = { paid: "price", list: "mrp", link: "url" } as Record<string, string>;

it.each(SHAPES)("$shape", ({ address, html, right }) => {
  const page = new JSDOM(html, { url: address }).window.document;
  const fields = readPage(page, address);
  expect(fields !== undefined).toBe(right.product ?? true);
  for (const [name, value] of Object.entries(right)) {
    if (name === "soldOut") {
      expect(fields?.has("soldOut"), name).toBe(value);
    } else if (name === "doubt") {
      expect(fields?.getAll("doubt")).toEqual(value);
    } else if (name !== "product") {
      expect(fields?.get(FIELDS[name] ?? name) ?? null, name).toBe(value);
    }
  }
});
