import { vi } from "vitest";
import type { ProductPage } from "../api/products/list";
import { cardOf } from "../api/products/product";
import type { Shelf } from "../api/products/query";
import type { Alike, Facets, Home, PriceHistory, Product, User } from "../api/types";
import { defaultShop } from "../shop/shop";

type Answer = { status?: number; body: unknown } | "network down";
type Handler = (url: URL, init: RequestInit) => Answer;

export function fakeServer(handler: Handler) {
  const requests: { url: URL; init: RequestInit }[] = [];
  const state = { handler };
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const url = new URL(path, "http://shop.test");
    if (new Headers(init.headers).get("accept") === "text/html") {
      return new Response(""); // Of a page, the app reads only the head.
    }
    requests.push({ url, init });
    const answer = rowsOf(url) ?? answerOf(url, init);
    if (answer === "network down") {
      throw new TypeError("Failed to fetch");
    }
    return new Response(JSON.stringify(answer.body), { status: answer.status ?? 200 });
  });
  function answerOf(url: URL, init: RequestInit): Answer {
    const given = state.handler(url, init);
    if (url.searchParams.get("view") === "card") {
      return inCards(given);
    }
    if (url.pathname.startsWith("/product/price-history/")) {
      return aHistory(given);
    }
    return url.pathname === "/product/facets" ? aCount(given) : given;
  }
  return {
    requests,
    answer(next: Handler) {
      state.handler = next;
    },
  };
}

/** Answers without shelves and related products. */
function rowsOf({ pathname }: URL): Answer | undefined {
  if (pathname === "/product/home") {
    return {
      body: {
        picks: [],
        cheaper: false,
        note: null,
        promise: "Each price is dated.",
        seen: null,
        categories: [],
      } satisfies Home,
    };
  }
  const [, kind, slug] = /^\/product\/shelf\/(category|seller)\/(.+)$/.exec(pathname) ?? [];
  if (kind) {
    return { body: aShelf(kind, slug) };
  }
  if (pathname.startsWith("/product/alike/")) {
    return { body: { similar: [], seller: [], sellerTotal: 0 } satisfies Alike };
  }
  return undefined;
}

/** Returns the shelf of a usual category, or of a seller with a name like its slug. */
export function aShelf(kind: string, slug = ""): Shelf {
  const name = slug.replace(/^./, (first) => first.toUpperCase());
  const filters = kind === "category" ? { category: name } : { source: name };
  return { path: `/${kind}/${slug}`, name, filters, ...(kind === "seller" && { letter: name.slice(0, 1) }) };
}

function inCards(answer: Answer): Answer {
  const page = answer === "network down" ? undefined : (answer.body as { data?: Product[] });
  return page?.data ? { body: { ...page, data: page.data.map(cardOf) } } : answer;
}

/** Returns a history without prices, unless a test gives another. */
function aHistory(answer: Answer): Answer {
  const given = answer !== "network down" && "points" in (answer.body as object);
  const none = {
    alerts: false,
    since: null,
    low30: null,
    low90: null,
    usual: null,
    figures: [],
    plot: null,
    points: [],
  };
  return given ? answer : { body: none satisfies PriceHistory };
}

/** Returns facets of 1 in no category, unless a test gives others. */
function aCount(answer: Answer): Answer {
  const given = answer !== "network down" && "categories" in (answer.body as object);
  return given
    ? answer
    : {
        body: {
          all: 1,
          categories: defaultShop.categories.map(({ name }) => ({ name, products: 0 })),
          sources: [],
          chips: [],
        } satisfies Facets,
      };
}

export function aProduct(changes: Partial<Product> = {}): Product {
  return {
    _id: "p1",
    title: "Braided USB-C cable",
    description: "A braided cable.",
    price: 123456,
    discount: 64,
    finalPrice: 44444.16,
    category: "Electronics",
    source: "Amazon",
    affiliateLink: "https://shop.example/cable",
    images: ["https://pictures.example/cable.jpg"],
    clicks: 3,
    ratings: { averageRating: 4.2, totalRatings: 24269 },
    status: "live",
    state: "live",
    offers: [],
    effectivePrice: null,
    createdAt: "2026-03-01T10:20:30.456Z",
    updatedAt: "2026-03-01T10:20:30.456Z",
    priceSeenOn: "2026-03-01",
    ...changes,
  };
}

export function aPage(
  products: Product[],
  meta: Partial<ProductPage["meta"]> = {},
): Omit<ProductPage, "key"> {
  return {
    data: products,
    meta: { currentPage: 1, totalPages: 1, total: products.length, limit: 10, ...meta },
  };
}

export function aUser(changes: Partial<User> = {}): User {
  return {
    _id: "u1",
    username: "asha",
    email: "asha@example.com",
    Role: "user",
    createdAt: "2026-03-01T10:20:30.456Z",
    ...changes,
  };
}
