// Pages of the demo shop over a slow line: a browser paints what has come so far.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { appIsReady, SCREENS, SHOP, visits, watchLayout } from "./browser.mjs";

const visit = visits();

/** A text in two: before what is looked for, and from there on. */
function cutAt(text, what) {
  const at = text.indexOf(what);
  assert.notEqual(at, -1, what);
  return [text.slice(0, at), text.slice(at)];
}

/**
 * A page, cut wherever something new begins; all but the first two cards of a list and
 * the last come at once.
 */
function pieces(page) {
  const [head, body] = cutAt(page, "<body");
  const [content, data] = cutAt(body, '<script id="served"');
  const cards = content.split(/(?=<article)/);
  const alike = cards.splice(3, Math.max(cards.length - 4, 0)).join("");
  const cut = (parts) => parts.join("").split(/(?<=>)(?!<\/|<(?:path|line|circle|rect)\b)/);
  return [head, ...cut(cards.slice(0, 3)), alike, ...cut(cards.slice(3)), data];
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

/** What the page has is on the screen once the next frame has begun. */
const painted = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const PAGES = [
  ["the list", async () => "/?search=cable&category=Electronics&minDiscount=25"],
  [
    "a product",
    async () => {
      const { data } = await (await fetch(`${SHOP}/product/get-products?limit=100`)).json();
      return `/details/${data.find(({ images }) => images.length > 1)._id}`;
    },
  ],
];

for (const [what, find] of PAGES) {
  for (const [screen, viewport] of SCREENS) {
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
          const arrival = page.goto(shop.address + path, { waitUntil: "commit" });
          await shop.send(head);
          await arrival;
          for (const piece of body) {
            await shop.send(piece);
            await painted(page);
            assert.deepEqual(await page.evaluate(() => window.shifts), [], piece);
          }
          await shop.end();
          await appIsReady(page);
          await painted(page);
          assert.deepEqual(await page.evaluate(() => window.shifts), []);
        } finally {
          shop.close();
        }
      },
      { viewport },
    );
  }
}
