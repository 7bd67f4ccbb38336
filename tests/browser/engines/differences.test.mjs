// Where engines differ, in the engine named by ENGINE: a shop with demo products and an
// administrator, owner@example.com.

import assert from "node:assert/strict";
import { SHOP } from "../browser.mjs";
import { middleman } from "./middleman.mjs";
import { stories } from "./person.mjs";

const { PASSWORD } = process.env;
const story = stories();

const NARROW = 320;

const firstTitle = () => document.querySelector("article h2").textContent;

story("what was seen opens again without a network", async (visitor, driver) => {
  const isKept = (path) => visitor.until(async (path) => Boolean(await caches.match(path, { ignoreVary: true })), path);
  await visitor.open("/");
  await visitor.until(() => navigator.serviceWorker.controller?.state === "activated");
  await isKept("/");
  const title = await driver.evaluate(firstTitle);
  await visitor.click({ role: "link", name: title });
  await visitor.sees({ text: "Added" });
  const address = await driver.evaluate(() => window.location.pathname);
  await isKept(address.replace("/details/", "/product/product/"));

  await visitor.line.disconnect();
  try {
    await visitor.open("/");
    await visitor.sees({ text: /^Offline: as of \d\d:\d\d\.$/ });
    await visitor.sees({ role: "heading", name: title });
    // The product came by a link within the app: there is no page of it, but its answer.
    await visitor.open(address);
    await visitor.sees({ role: "heading", name: title });
    await visitor.sees({ text: /^Offline: as of \d\d:\d\d\.$/ });
  } finally {
    await visitor.line.connect();
  }
  await visitor.open("/");
  await visitor.lacks({ text: /^Offline: as of/ });
});

story("the first press on Share copies the link", async (visitor, driver) => {
  await visitor.open("/");
  await visitor.click({ role: "link", name: await driver.evaluate(firstTitle) });
  await visitor.click({ role: "button", name: "Share" });
  await visitor.sees({ text: "Link copied" });
});

story("coming back from another document keeps the place", async (visitor, driver) => {
  await visitor.open("/");
  await driver.evaluate(() => window.scrollTo(0, 900));
  await visitor.until(() => window.scrollY === 900);
  await driver.open(`${visitor.line.address}/docs`);
  await driver.back();
  await visitor.until(() => Math.abs(window.scrollY - 900) < 2);
});

story("times have the same words everywhere", async (visitor) => {
  await visitor.signIn("owner@example.com", PASSWORD);
  await visitor.open("/admin/activity");
  await visitor.sees({ text: /^\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d$/ });
});

story("an office without the session's cookie asks to sign in", async (owner, driver) => {
  await owner.signIn("owner@example.com", PASSWORD);
  await driver.forgetCookies();
  await owner.open("/admin");
  await owner.sees({ role: "dialog", name: "Sign in again" });
});

story("no screen overflows sideways on a narrow phone with text of twice the size", async (owner, driver) => {
  await owner.signIn("owner@example.com", PASSWORD);
  await driver.resize(NARROW, 700);
  const wide = [];
  for (const [path, last] of [
    ["/", { text: "Page 1 of 5" }],
    ["/?category=Books", { text: "Page 1 of 2" }],
    ["/saved", { text: "You have not saved a deal yet." }],
    ["/add-product", { label: "Status" }],
    ["/admin", { role: "heading", name: "Today" }],
    ["/admin/products", { role: "button", name: /^Final price of/ }],
    ["/admin/activity", { role: "heading", name: "Activity" }],
    ["/admin/files", { label: /^CSV, Excel/ }],
    ["/admin/settings", { label: "Tagline" }],
  ]) {
    await owner.open(path);
    await owner.sees(last);
    const overflow = await driver.evaluate(async () => {
      document.documentElement.style.fontSize = "200%";
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return document.documentElement.scrollWidth - document.documentElement.clientWidth;
    });
    if (overflow > 0) wide.push(`${path}: ${overflow} px`);
  }
  assert.deepEqual(wide, []);
});

story("a screen whose scripts are blocked says that it needs them", async (visitor, driver) => {
  // An address of its own: of the other one the browser has the scripts.
  const line = await middleman(SHOP);
  line.refuses = /^\/assets\/.*\.js/;
  try {
    await driver.open(`${line.address}/saved`);
    await visitor.lacks({ text: /^This screen needs JavaScript/ });
    await visitor.sees({ text: /^This screen needs JavaScript/ });
    await visitor.sees({ role: "link", name: "All deals" });
  } finally {
    await line.disconnect();
  }
});
