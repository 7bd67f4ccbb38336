// A program that uses a generated client: `node generated/script.js URL TOKEN`.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/api.js";

const [baseUrl, token] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

const list = await api.GET("/product/get-products", { params: { query: { sortBy: "price", order: "asc" } } });
assert.ok(list.data);
const prices = list.data.data.map(({ price }) => price);
assert.deepEqual(
  prices,
  prices.toSorted((a, b) => a - b),
);

// @ts-expect-error: no such sort
await api.GET("/product/get-products", { params: { query: { sortBy: "cheapest" } } });

const details = {
  title: "Desk lamp",
  description: "A lamp for a desk, with a dimmer.",
  category: "Home",
  source: "Amazon",
  affiliateLink: "https://shop.example/lamp",
  images: ["https://shop.example/lamp.jpg"],
  averageRating: 4.5,
  totalRatings: 12,
} satisfies Partial<components["schemas"]["ProductRequest"]>;

const added = await api.POST("/product/add-product", { body: { ...details, price: 29.99, finalPrice: 19.99 } });
assert.ok(added.data, JSON.stringify(added.error));
const { _id: id, finalPrice, updatedAt } = added.data.product;
assert.equal(finalPrice, 19.99);

const again = await api.POST("/product/add-product", {
  params: { query: { unique: true }, header: { "Idempotency-Key": "lamp-2" } },
  body: { ...details, price: 29.99, finalPrice: 19.99 },
});
assert.equal(again.response.status, 409);
assert.equal(again.error?.id, id);

const change = () =>
  api.PUT("/product/update-product/{id}", {
    params: { path: { id } },
    body: { ...details, price: 29.99, finalPrice: 18.5, updatedAt },
  });
const changed = await change();
assert.equal(changed.data?.product.finalPrice, 18.5);
const late = await change();
assert.equal(late.response.status, 409);
assert.ok(late.error);

assert.equal(late.error.code, "changed_meanwhile");

const me = await api.GET("/user/me");
assert.equal(me.data?.user.Role, "admin");

// Everything, in pages of one.
const walked: string[] = [];
let cursor: string | undefined;
do {
  const page = await api.GET("/product/changes", { params: { query: { cursor, limit: 1 } } });
  assert.ok(page.data);
  walked.push(...page.data.data.map(({ _id }) => _id));
  cursor = page.data.meta.nextCursor;
} while (cursor !== undefined);
assert.equal(walked.length, list.data.meta.total + 1);
assert.ok(walked.includes(id));
