import type { PageData } from "../api/page-data";
import { cardOf } from "../api/products/product";
import { cardFacetsPath, cardsPath, detailsPath, facetsPath, type Shelf } from "../api/products/query";
import type {
  Alike,
  Card,
  Facets,
  Home,
  ListMeta,
  OwnerPage,
  PriceHistory,
  Product,
  Removed,
} from "../api/types";
import { asRead, near } from "../features/listing/search/as-read";
import { areFew } from "../features/listing/search/few-results";
import { pageSize } from "../lib/constants.json";
import { paths } from "../lib/paths";
import { onShelf, readQuery } from "../product/list-state";
import { defaultShop } from "../shop/shop";
import { aProduct } from "./fake-server";

// Pages of an invented shop, one for each kind of page that visitors see.

interface Page {
  address: string;
  /** Text of the element `served`. */
  data: string;
}

const AWKWARD = `</script><b>"bold"</b> & 'text' &amp; e\u0301 \u2028 हिन्दी 👩‍👩‍👧‍👦`;

function shown(changes: Partial<Product["shown"]> = {}) {
  return { asOf: null, disclosure: "", hidesPrice: false, hidesRatings: false, ...changes };
}

const PRODUCTS: Product[] = [
  aProduct({
    verdict: { kind: "lowest_30", words: "Lowest in 30 days", path: "M0 3H64", less: "₹669 less" },
  }),
  aProduct({ title: AWKWARD, description: AWKWARD, source: `${AWKWARD} & Co`, discount: 0 }),
  aProduct({ title: "Café cables, ﬁne CABLES", shown: shown({ ends: "Ends today 18:00", asOf: "2 Mar" }) }),
  aProduct({ shown: shown({ hidesPrice: true, hidesRatings: true }), category: "Books", clicks: 1 }),
  aProduct({ ratings: { averageRating: 0, totalRatings: 0 }, category: "Home", source: "Croma" }),
  aProduct({
    shown: shown({ effective: "₹400.00 with a card" }),
    verdict: { kind: "new", words: "New here" },
  }),
].map((product, index) => ({ ...product, _id: `p${index}/<&` }));
const CARDS: Card[] = PRODUCTS.map(cardOf);

const FACETS: Facets = {
  all: 123_456,
  categories: defaultShop.categories.map(({ name }, index) => ({ name, products: index * 1_000 })),
  sources: Array.from({ length: 11 }, (_, index) => ({ name: `Shop & ${index}`, products: 90 - index })),
  endingSoon: 2,
  proven: 15,
  chips: [5, 0, 1_234],
};
const NO_FACETS: Facets = {
  all: 0,
  categories: defaultShop.categories.map(({ name }) => ({ name, products: 0 })),
  sources: [],
  chips: [],
};

const HOME: Home = {
  picks: CARDS,
  cheaper: true,
  note: null,
  promise: "Each price is dated.",
  seen: "today 09:30",
  categories: defaultShop.categories.map(({ name }, index) => ({
    name,
    products: index,
    from: index === 0 ? null : "₹99",
    image: `https://pictures.example/${name}.jpg`,
  })),
};
const ALIKE: Alike = { similar: CARDS, seller: CARDS.slice(1), sellerTotal: 1_234 };

const HISTORY: PriceHistory = {
  alerts: true,
  since: "2026-03-01",
  low30: 44_444.16,
  low90: 44_444.16,
  usual: 50_000,
  figures: [
    { name: "Usually", amount: 50_000, saved: false },
    { name: "Saved", amount: 5_555.84, saved: true },
  ],
  plot: {
    path: "M0 10H600",
    gaps: "M0 60H10",
    levels: ["₹50,000", "₹44,444"],
    dates: ["1 Mar", "Today"],
    marks: "M600 60h0",
    lowest: "Lowest ₹44,444 today",
    readings: [{ left: 0, right: 600, words: "Since 1 Mar: ₹44,444" }],
  },
  points: [
    { from: "2026-03-01T00:00:00Z", until: "2026-09-30T20:00:00Z", price: 123_456, finalPrice: 50_000 },
    { from: "2026-09-30T20:00:00Z", until: "2026-11-01T00:00:00Z", price: 123_456, finalPrice: 44_444.16 },
  ],
};
const NO_HISTORY: PriceHistory = { ...HISTORY, figures: [], plot: null, points: [] };

function page(address: string, answers: PageData["answers"], shop: Partial<PageData["shop"]> = {}): Page {
  const data: PageData = { answers, shop: { ...defaultShop, ...shop } };
  return { address, data: JSON.stringify(data).replaceAll("<", "\\u003c") };
}

interface Listed {
  cards?: Card[];
  meta?: Partial<ListMeta>;
  facets?: Facets;
  home?: Home;
  shop?: Partial<PageData["shop"]>;
  shelf?: Shelf;
}

function list(address: string, { cards = [], meta, facets = FACETS, home, shop, shelf }: Listed): Page {
  const names = defaultShop.categories.map(({ name }) => name);
  const { pathname, searchParams } = new URL(address, "http://shop.test");
  const query = onShelf(readQuery(searchParams, pageSize, names), shelf);
  const parts = pathname.split("/");
  const fullMeta = { currentPage: query.page, totalPages: 5, total: cards.length, limit: 10, ...meta };
  const read = asRead(query, fullMeta);
  const [first] = cards;
  return page(
    address,
    {
      [cardFacetsPath(query)]: facets,
      [cardsPath(query)]: { data: cards, meta: fullMeta },
      ...(first &&
        areFew(read, fullMeta) && {
          [cardsPath(near(read, fullMeta, first))]: { data: CARDS, meta: fullMeta },
        }),
      ...(home && { "/product/home": home }),
      ...(shelf && { [`/product/shelf/${parts[1]}/${parts.at(-1)}`]: shelf }),
    },
    shop,
  );
}

function details(
  product: Product | null,
  answers: Record<"price-history", PriceHistory> | Record<"removed", Removed | null>,
  alike: Alike = ALIKE,
): Page {
  const id = product?._id ?? "gone/<&";
  const ofIt = { ...answers, ...(product && { alike }) };
  const isUnknown = "removed" in answers && answers.removed === null;
  return page(paths.details(id), {
    [facetsPath({})]: FACETS,
    [detailsPath(id)]: { product },
    ...(isUnknown && { "/product/home": HOME }),
    ...Object.fromEntries(
      Object.entries(ofIt).map(([call, answer]) => [`/product/${call}/${encodeURIComponent(id)}`, answer]),
    ),
  });
}

const FULL = aProduct({
  _id: "full",
  title: AWKWARD.repeat(4),
  description: `${AWKWARD}\r\n`.repeat(20),
  images: ['https://pictures.example/1.jpg?a=1&b="2"', "https://pictures.example/2.jpg"],
  shown: shown({ effective: "₹400.00 with a card", ends: "Ends today 18:00", disclosure: "They <say> so." }),
  verdict: { kind: "lowest_90", words: "Lowest in 90 days", sentence: "Usually ₹50,000.", path: "M0 3H64" },
  endsAt: "2026-12-31T18:30:00Z",
  externalId: "B0<1>",
  offers: [
    {
      kind: "coupon",
      code: "<SAVE>&10",
      percent: 10,
      words: "10% off",
      checkedAt: "2026-11-12T18:00:00+05:30",
    },
    { kind: "emi", text: "No cost", words: "No cost EMI" },
  ],
});
const ENDED = aProduct({ _id: "over", state: "ended", shown: shown({ notice: "This deal has ended." }) });
const REMOVED: Removed = {
  ...ALIKE,
  title: AWKWARD,
  source: "Amazon",
  category: "Books",
  removedAt: "2026-11-27T19:00:55.000Z",
  words: `“${AWKWARD}” from Amazon was removed from the shop on 28 Nov 2026.`,
};
const ABOUT: OwnerPage = {
  slug: "about",
  title: "About <us> & you",
  text: "",
  html: '<h2>How we earn</h2>\n<p>A &amp; B, <a href="https://shop.example/">there</a>.</p>',
};

export const PAGES: Page[] = [
  list("/", { cards: CARDS, home: HOME }),
  list("/", {
    cards: CARDS,
    home: { ...HOME, cheaper: false, note: "checked < today" },
    shop: {
      tagline: "Sasta & sahi",
      pages: [{ slug: "über uns", title: "<About>" }],
      telegram: "https://t.me/x",
    },
  }),
  list("/", { cards: CARDS.slice(0, 1), facets: { ...FACETS, all: 1 }, home: { ...HOME, categories: [] } }),
  list("/", {
    cards: CARDS,
    home: {
      ...HOME,
      picks: [...CARDS, ...CARDS.map((card) => ({ ...card, _id: `${card._id}2` }))],
      sections: [
        { kind: "banner", title: "<Sale>", picture: "/picture/x.webp", alt: "A & B", link: "/pages/über" },
        { kind: "picks", title: "" },
        { kind: "categories", title: "Shelves & more" },
        { kind: "clicked", title: "", products: CARDS, link: "/?sortBy=clicks" },
        { kind: "seller", title: "Shop & Co", products: CARDS.slice(0, 1), link: "/?source=a%26b" },
        { kind: "text", title: "", html: ABOUT.html },
        { kind: "banner", title: "", picture: "https://pictures.example/b.jpg", alt: "" },
      ],
    },
  }),
  list("/?category=Books&page=2", { cards: CARDS, meta: { total: 50 } }),
  list("/?category=Toys&page=x&sortBy=password&minPrice=-3", { cards: CARDS, home: HOME }),
  list("/?search=caf%C3%A9+cables+under+1000&sortBy=clicks&order=asc", {
    cards: CARDS,
    meta: {
      matches: ["cafe", "cables", "fine"],
      also: ["wires"],
      mentioned: "cables",
      wordsRead: "café cables",
      maxPriceRead: 1_000,
    },
  }),
  list("/?search=%3Cb%3E%26amp%3B&category=Home&source=Nobody+%26+Co&minPrice=100&maxPrice=2000.5", {
    cards: CARDS,
    meta: { totalPages: 1 },
  }),
  list("/?minDiscount=12.5&minProven=10&endingSoon=true&sortBy=endsAt&order=asc", { cards: CARDS }),
  list("/?tag=Hostel+room&tag=%E0%A4%A6%E0%A5%80%2Chostel+ROOM", { cards: CARDS }),
  list("/?search=cabel", { meta: { totalPages: 1, suggestion: "<cable>" }, facets: NO_FACETS, home: HOME }),
  list("/?search=cabel", {
    cards: CARDS,
    meta: { suggestion: "<cable>", wordsRead: "<cable>" },
  }),
  list("/?search=cabel&exact=true", { meta: { totalPages: 1, suggestion: "<cable>" }, home: HOME }),
  list("/?search=under+500&category=Books", {
    cards: CARDS.slice(0, 1),
    meta: { total: 1, maxPriceRead: 500, relaxed: [{ without: "maxPrice", total: 12 }] },
  }),
  list("/?search=qqqqq&category=Books&minPrice=5", {
    meta: {
      totalPages: 1,
      relaxed: [
        { without: "search", total: 12 },
        { without: "minPrice", total: 1 },
      ],
      shorter: [{ search: "<q> & q", total: 7 }],
    },
    facets: NO_FACETS,
    home: { ...HOME, picks: [] },
  }),
  list("/category/books?page=2", {
    cards: CARDS,
    meta: { total: 50 },
    shelf: { path: "/category/books", filters: { category: "Books" }, text: AWKWARD },
  }),
  list("/category/home/tea-%26?source=Amazon&sortBy=price", {
    cards: CARDS,
    meta: { total: 50 },
    shelf: {
      path: "/category/home/tea-%26",
      filters: { category: "Tea & <cups>" },
      above: { name: "Home", path: "/category/home" },
    },
  }),
  list("/seller/amazon", {
    cards: CARDS.slice(0, 1),
    meta: { total: 1, totalPages: 1 },
    shelf: {
      path: "/seller/amazon",
      filters: { source: "Amazon" },
      also: [{ name: "AMAZON <&", path: "/?source=AMAZON%20%3C%26" }],
    },
  }),
  list("/?page=77", { meta: { total: 48 } }),
  list("/", { meta: { totalPages: 1 }, facets: NO_FACETS, home: { ...HOME, picks: [] } }),
  list("/?sortBy=price", {
    meta: { totalPages: 1 },
    facets: NO_FACETS,
    shop: { tagline: "Soon", whatsapp: "https://wa.me/1", instagram: "javascript:alert(1)" },
  }),
  details(FULL, { "price-history": HISTORY }),
  details(aProduct({ images: [], discount: 0 }), { "price-history": NO_HISTORY }, { ...ALIKE, similar: [] }),
  details(ENDED, { "price-history": HISTORY }, { ...ALIKE, back: { _id: "full", words: "It is back." } }),
  details(aProduct({ _id: "a", shown: shown({ asOf: "2 Mar", hidesPrice: true }) }), {
    "price-history": HISTORY,
  }),
  details(null, { removed: REMOVED }),
  details(null, { removed: null }),
  page("/pages/about", { [facetsPath({})]: FACETS, "/settings/pages/about": ABOUT }),
];
