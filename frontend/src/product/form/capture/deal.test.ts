import { describe, expect, it } from "vitest";
import rules from "../../../../../assets/link-rules.json";
import TEXTS from "../../../../../tests/fixtures/captured-texts.json";
import LINKS from "../../../../../tests/fixtures/links.json";
import type { OfferValues } from "../../../schemas/offers";
import { amountsIn, toAmount } from "./amounts";
import { carriesDeal } from "./arrival";
import { readDeal } from "./deal";
import { sellerAt } from "./shops";

const HOME = "https://sasta.example";

function read(fields: Record<string, string>) {
  return readDeal(new URLSearchParams(fields).toString(), HOME);
}

describe("texts that shops' apps share", () => {
  const texts = [
    {
      app: "Amazon",
      text: "Check this out! boAt Airdopes 141 Bluetooth TWS Earbuds with 42H Playtime (Bold Black) https://amzn.in/d/0aBcD3f",
      title: "boAt Airdopes 141 Bluetooth TWS Earbuds with 42H Playtime (Bold Black)",
      link: "https://amzn.in/d/0aBcD3f",
      price: undefined,
    },
    {
      app: "Flipkart",
      text: "Take a look at this Noise ColorFit Pulse 2 Max 1.85'' Display Smartwatch on Flipkart\nhttps://dl.flipkart.com/s/CWeFtWuuuN",
      title: "Noise ColorFit Pulse 2 Max 1.85'' Display Smartwatch",
      link: "https://dl.flipkart.com/s/CWeFtWuuuN",
      price: undefined,
    },
    {
      app: "Myntra",
      text: "Look what I found on Myntra! Roadster Men Black Solid Round Neck T-shirt at Rs. 399 (MRP Rs. 999). https://www.myntra.com/tshirts/roadster/roadster-men-black-tshirt/1996777/buy?utm_source=share",
      title: "Roadster Men Black Solid Round Neck T-shirt",
      link: "https://www.myntra.com/tshirts/roadster/roadster-men-black-tshirt/1996777/buy?utm_source=share",
      price: "999",
      finalPrice: "399",
    },
    {
      app: "Meesho",
      text: "Check out this amazing product on Meesho!\n*Trendy Rayon Printed Kurti*\nPrice: ₹349\nFree Delivery, COD available\nhttps://www.meesho.com/s/p/4x9abc?utm_source=s_cc",
      title: "Trendy Rayon Printed Kurti",
      link: "https://www.meesho.com/s/p/4x9abc?utm_source=s_cc",
      price: "349",
    },
    {
      app: "Ajio",
      text: "Hey! I found this on AJIO: NETPLAY Slim Fit Checked Shirt at ₹1,499, get extra ₹200 off with a coupon. https://ajio.page.link/Xy12Z",
      title: "NETPLAY Slim Fit Checked Shirt",
      link: "https://ajio.page.link/Xy12Z",
      price: "1499",
    },
  ];
  it.each(texts)("$app: title, link and price", ({ app, text, title, link, price, finalPrice }) => {
    const { values, sentence, links } = read({ text });
    expect(values.title).toBe(title);
    expect(values.affiliateLink).toBe(link);
    expect(values.source).toBe(app);
    expect(values.price).toBe(price);
    expect(values.finalPrice || undefined).toBe(finalPrice);
    expect(links).toEqual([link]);
    expect(sentence).toBe(`From ${app}. Check what is filled in.`);
  });

  it("a text without a link says so, and keeps the title", () => {
    const { values, sentence } = read({ text: "Prestige Kettle 1.5 L at ₹699 today" });
    expect(values).toMatchObject({ title: "Prestige Kettle 1.5 L", price: "699", affiliateLink: "" });
    expect(sentence).toMatch(/^It has no link to a seller\. Paste/);
  });

  it("three links can be chosen from, and one that leads to the shop itself is none of them", () => {
    const text = `Two deals: https://amzn.in/d/1, https://fkrt.it/2! https://www.croma.com/p/3 (by ${HOME}/)`;
    const { links, sentence } = read({ text });
    expect(links).toEqual(["https://amzn.in/d/1", "https://fkrt.it/2", "https://www.croma.com/p/3"]);
    expect(sentence).toMatch(/^The text has 3 links\./);
  });

  it("a link to the shop itself names the deal", () => {
    const { values, sentence, own } = read({ text: `See ${HOME}/details/abc%2F1?x=1` });
    expect(values.affiliateLink).toBe("");
    expect(own).toBe("abc%2F1");
    expect(sentence).toMatch(/^This link leads to your own shop\./);
  });
});

it("says that a coupon is a guess to check", () => {
  const { values, sentence } = read({
    text: "Kavrel kettle ₹899\nUse code SAVE100\nhttps://amzn.in/d/1",
  });
  expect(values.offers).toMatchObject([{ kind: "coupon", code: "SAVE100" }]);
  expect(sentence).toContain("The coupon SAVE100 is filled in at Offers: check it.");
});

describe("titles", () => {
  it.each([
    "Robot Check",
    "Are you a human?",
    "Access Denied",
    "Just a moment…",
    "Just a moment...",
    "Attention Required! | Cloudflare",
    "503 - Service Unavailable Error",
    "Sorry! Something went wrong!",
  ])("%s is none", (title) => {
    const { values, sentence } = read({ title, url: "https://www.amazon.in/dp/B0ABCD1234" });
    expect(values.title).toBe("");
    expect(sentence).toContain("a page for robots");
    expect(read({ text: `${title}\nhttps://amzn.in/d/1` }).values.title).toBe("");
  });

  it.each([
    ["boAt Airdopes 141 : Amazon.in: Electronics", "boAt Airdopes 141"],
    [
      "Noise Pulse 2 Max Smartwatch Price in India - Buy Noise Pulse 2 Max Smartwatch online at Flipkart.com",
      "Noise Pulse 2 Max Smartwatch",
    ],
    ["Buy Roadster Men Black Tshirt | Myntra", "Roadster Men Black Tshirt"],
    ["Buy Lakme Kajal Online at Best Price | Nykaa", "Lakme Kajal"],
    ["The Amazing Spider-Man Comic", "The Amazing Spider-Man Comic"],
    ["Buy 1 Get 1 Socks", "Buy 1 Get 1 Socks"],
    ["Shirt (Blue)", "Shirt (Blue)"],
    ["Amazon.in", ""],
  ])("%s becomes %s", (title, cleaned) => {
    expect(read({ title }).values.title).toBe(cleaned);
  });
});

describe("amounts", () => {
  it.each([
    ["now ₹1,499", "1499", undefined],
    ["Rs. 999 only", "999", undefined],
    ["Rs.1,23,456.50", "123456.5", undefined],
    ["999/- only", "999", undefined],
    ["₹499 (MRP ₹1,299)", "499", "1299"],
    ["M.R.P.: ₹1,299 Deal price ₹499", "499", "1299"],
    ["₹499, save ₹200, extra ₹50 off", "499", undefined],
    ["₹21,159 or ₹1,026/month EMI", "21159", undefined],
    ["from ₹499", undefined, undefined],
    ["₹499 or ₹599", undefined, undefined],
    ["1499 reviews", undefined, undefined],
  ])("%s", (text, price, mrp) => {
    expect([amountsIn(text).price, amountsIn(text).mrp]).toEqual([price, mrp]);
  });

  it("takes no amount that is written in another way", () => {
    expect(["1.299,00", "$12", "0", "-5", "1,2", "", "12 to 15"].map(toAmount)).toEqual(
      Array(7).fill(undefined),
    );
  });
});

it("a list price above the price becomes the price, from which the discount follows", () => {
  expect(read({ price: "₹1,499.00", mrp: "2999" }).values).toMatchObject({
    price: "2999",
    finalPrice: "1499",
    discount: "",
  });
  expect(read({ price: "1499", mrp: "999" }).values).toMatchObject({ price: "1499", discount: "0" });
  expect(read({ mrp: "999" }).values.price).toBeUndefined();
});

it("takes pictures and links of the web only", () => {
  const fields = new URLSearchParams([
    ["url", "javascript:alert(1)"],
    ["image", "data:image/svg+xml,<svg/>"],
    ["image", "https://pictures.example/a.jpg"],
    ["image", "//pictures.example/b.jpg"],
  ]);
  const { values, sentence, links } = readDeal(fields.toString(), HOME);
  expect(values.images).toEqual(["https://pictures.example/a.jpg"]);
  expect([values.affiliateLink, links]).toEqual(["", []]);
  expect(sentence).toContain("is left out");
});

it("takes ratings, description and seller as they come", () => {
  const fields = {
    title: "Lamp",
    rating: "4.1",
    ratings: "24269",
    description: "Of clay.",
    source: "Diya & Co",
  };
  expect(read({ ...fields, url: "https://diya.example/lamp" }).values).toMatchObject({
    averageRating: "4.1",
    totalRatings: "24269",
    description: "Of clay.",
    source: "Diya & Co",
  });
});

it("recognizes texts and addresses that carry a deal", () => {
  expect(
    ["#title=Kettle", "?text=x", "#content", "", "?page=2", "#title="].map((it) => carriesDeal(it.slice(1))),
  ).toEqual([true, true, false, false, false, false]);
});

it("names sellers by their hosts", () => {
  expect(
    [
      "https://m.flipkart.com/x",
      "https://amzn.to/x",
      "https://www.boat-lifestyle.co.in/x",
      "https://ajio.page.link/x",
    ].map(sellerAt),
  ).toEqual(["Flipkart", "Amazon", "Boat Lifestyle", "Ajio"]);
});

it.each(rules.shops)(
  "knows the name of $name, its hosts and its short links",
  ({ name, hosts, shorteners = [] }) => {
    const links = [...hosts, ...shorteners].map((host) => `https://${host}/x`);
    expect(links.map(sellerAt)).toEqual(links.map(() => name));
    expect(read({ title: `Copper jug | ${name.toUpperCase()}.com` }).values.title).toBe("Copper jug");
    expect(read({ text: `Copper jug on ${name.replaceAll(" ", "")} https://amzn.in/d/1` }).values.title).toBe(
      "Copper jug",
    );
  },
);

interface Right {
  paid?: string | null;
  list?: string | null;
  title?: string;
  link?: string | null;
  source?: string;
  /** Codes, or texts, of its coupons with what they take off. */
  coupons?: string[];
}

/** Describes a coupon, like “BED10, 10 %, at most ₹100”. */
function inWords({ code, text, amount, percent, cap, minOrder }: OfferValues): string {
  const parts = [
    code || text,
    amount && `₹${amount}`,
    percent && `${percent} %`,
    cap && `at most ₹${cap}`,
    minOrder && `from ₹${minOrder}`,
  ];
  return parts.filter(Boolean).join(", ");
}

it.each(TEXTS as { text: string; right: Right }[])("$text", ({ text, right }) => {
  const { values, links } = read({ text });
  const isSale = values.finalPrice !== undefined && values.finalPrice !== "";
  const found: Right = {
    paid: (isSale ? values.finalPrice : values.price) || null,
    list: (isSale ? values.price : null) || null,
    title: values.title ?? "",
    link: links[0] ?? null,
    source: values.source || "none",
    coupons: values.offers?.map(inWords) ?? [],
  };
  for (const [name, value] of Object.entries(right)) {
    const allowed =
      value === "1799?"
        ? ["1799", null]
        : String(value).endsWith(" or none")
          ? [value?.replace(" or none", ""), "none"]
          : [value];
    expect(allowed, name).toContainEqual(found[name as keyof Right]);
  }
});

const OWN = LINKS.shops.map(({ name }) => name);
it.each(
  LINKS.links.filter(({ link, seller = "" }) => seller !== "" && !OWN.includes(seller) && URL.canParse(link)),
)("the seller behind $link", ({ link, seller }) => {
  expect(sellerAt(link)).toBe(seller);
});

it.each([
  ["https://indiadesire.com/Redirect?redirectpid1=B0ABCD1234&store=amazon", "Amazon"],
  ["https://www.boat-lifestyle.com/products/airdopes-141?variant=4", "boAt"],
  ["https://www.gonoise.com/products/pulse-2", "Noise"],
  ["https://www.zeptonow.com/pn/x/pvid/1-2", "Zepto"],
  ["https://linksredirect.com/?url=https%3A%2F%2Fdiya.example%2Flamp", "Diya"],
  ["https://diya.example/lamp?share=https%3A%2F%2Felsewhere.example", "Diya"],
  ["https://cutt.ly/aB3dE", ""],
  ["https://ekaro.in/enkr20230107A1", ""],
  ["https://inr.deals/AbCdE", ""],
  ["https://clnk.in/AbCd", ""],
  ["https://www.hypd.store/93944/afflink/abc", ""],
  ["https://shop.pxf.io/c/1/2/3", ""],
  ["https://t.me/deals", ""],
])("%s is of %s", (link, seller) => {
  expect(sellerAt(link)).toBe(seller);
});

describe("a link alone", () => {
  it.each([
    [
      "https://www.amazon.in/boAt-Airdopes-141-Bluetooth-Headphones/dp/B09N3ZNHTY?tag=other-21",
      "BoAt Airdopes 141 Bluetooth Headphones",
    ],
    ["https://www.flipkart.com/noise-pulse-2-max/p/itm0f38c5b2d1a4e?pid=SMWG", "Noise pulse 2 max"],
    ["https://www.amazon.in/dp/B09N3ZNHTY", ""],
  ])("%s gives the name in it, and its page is offered", (link, title) => {
    const deal = read({ text: link });
    expect(deal.values.title).toBe(title);
    expect(deal.page).toBe(link);
    expect(deal.sentence).toMatch(/copy them from its page\.$/);
  });

  it("is left to a text that names the deal", () => {
    const deal = read({ text: "Brass lamp https://www.amazon.in/Some-Other-Name-Here/dp/B09N3ZNHTY" });
    expect([deal.values.title, deal.page]).toEqual(["Brass lamp", undefined]);
  });
});
