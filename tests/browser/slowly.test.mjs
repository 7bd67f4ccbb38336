// Pages of the demo shop over a slow line: a browser paints what has come so far.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { appIsReady, DESKTOP, PHONE, SHOP, visits, watchLayout } from "./browser.mjs";

const visit = visits();
/** So high that everything can be seen: what can't be does not count as moved. */
const HEIGHT = 3000;
const WIDTHS = [
  ["a phone", PHONE.width],
  ["a tablet on its side", 1024],
  ["a wide screen", DESKTOP.width],
];

/** A text in two: before what is looked for, and from there on. */
function cutAt(text, what) {
  const at = text.indexOf(what);
  assert.notEqual(at, -1, what);
  return [text.slice(0, at), text.slice(at)];
}

/**
 * A page, cut wherever something new begins; all but the first three cards of a list
 * and the last come at once.
 */
function pieces(page) {
  const [head, body] = cutAt(page, "<body");
  assert.match(body, /<article/);
  const [content, data] = cutAt(body, '<script id="served"');
  const cards = content.split(/(?=<article)/);
  const alike = cards.splice(4, Math.max(cards.length - 5, 0)).join("");
  // A word that is marked in part stays whole: lines end where their words do.
  const cut = (parts) =>
    parts.join("").split(/(?<=>)(?<!<\/?mark>)(?!<\/|<(?:path|line|circle|rect|mark)\b)/);
  return [head, ...cut(cards.slice(0, 4)), alike, ...cut(cards.slice(4)), data].filter(Boolean);
}

/** The shop over a line that sends the page at a path piece by piece, when asked to. */
async function slowShop(path) {
  const page = await (await fetch(SHOP + path)).text();
  let opened;
  const open = new Promise((resolve) => {
    opened = resolve;
  });
  const answer = async (request, response) => {
    if (request.url === path) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      opened(response);
      return;
    }
    const from = await fetch(new URL(request.url, SHOP));
    response.writeHead(from.status, { "content-type": from.headers.get("content-type") });
    response.end(Buffer.from(await from.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    pieces: pieces(page),
    send: async (piece) => {
      const response = await open;
      await new Promise((resolve) => response.write(piece, resolve));
    },
    end: async () => (await open).end(),
    close: () => server.close(),
  };
}

/** How much of the page has been read. */
const length = (page) => page.evaluate(() => document.documentElement.outerHTML.length);

/** Waits until more than this has been read and painted, and gives what has moved. */
async function painted(page, before) {
  await page.waitForFunction((before) => document.documentElement.outerHTML.length > before, before);
  return page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    // The next frame begins after the previous one has been painted.
    await frame();
    await frame();
    return window.shifts();
  });
}

const PAGES = [
  // A long title stands behind a short one in its first row.
  ["the list", async () => "/?search=a&category=Home&sortBy=finalPrice&order=asc"],
  [
    "a product",
    async () => {
      const { data } = await (await fetch(`${SHOP}/product/get-products?limit=100`)).json();
      return `/details/${data.find(({ images }) => images.length > 1)._id}`;
    },
  ],
];

for (const [what, find] of PAGES) {
  for (const [screen, width] of WIDTHS) {
    visit(
      `nothing moves while the page of ${what} comes in pieces, on ${screen}`,
      async (page) => {
        const path = await find();
        const shop = await slowShop(path);
        try {
          // Other sites than the shop are never asked for otherwise (browser.mjs).
          await page.route(`${shop.address}/**`, (route) => route.continue());
          await watchLayout(page);
          const [head, ...body] = shop.pieces;
          await Promise.all([page.goto(shop.address + path, { waitUntil: "commit" }), shop.send(head)]);
          for (const piece of body) {
            const before = await length(page);
            await shop.send(piece);
            assert.deepEqual(await painted(page, before), [], piece);
          }
          await shop.end();
          await appIsReady(page);
          assert.deepEqual(await painted(page, 0), []);
        } finally {
          shop.close();
        }
      },
      { viewport: { width, height: HEIGHT } },
    );
  }
}
