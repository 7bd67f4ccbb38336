// The demo shop on a device that loses its network.

import assert from "node:assert/strict";
import { appIsReady, visits } from "./browser.mjs";

const declare = visits();
const visit = (name, steps, options) => declare(name, steps, { serviceWorkers: "allow", ...options });

/** Opens a page and waits until the service worker has it and keeps what it came with. */
async function openKept(page, address) {
  await page.goto(address);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await isKept(page, address);
}

/** Waits until the page finds something that it has to ask for. */
async function eventually(page, holds, argument) {
  while (!(await page.evaluate(holds, argument))) {
    await page.waitForTimeout(50);
  }
}

const isKept = (page, address) =>
  eventually(page, async (path) => Boolean(await caches.match(path, { ignoreVary: true })), address);

const isForgotten = (page, address) =>
  eventually(page, async (path) => !(await caches.match(path, { ignoreVary: true })), address);

const copies = (page) => page.locator("[role=status] p", { hasText: /^Offline: as of \d\d:\d\d\.$/ });

const keptAddresses = (page) =>
  page.evaluate(async () => {
    const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return caught.flat().map(({ url }) => new URL(url).pathname);
  });

visit("visited pages open offline with the time of the copy", async (page, context) => {
  await openKept(page, "/");
  const product = page.locator("article h2 a").first();
  const title = await product.textContent();
  await product.click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  const address = await page.evaluate(() => window.location.pathname);
  await isKept(page, address.replace("/details/", "/product/product/"));
  await page.goto("/?category=Electronics&page=2");
  await isKept(page, "/?category=Electronics&page=2");

  await context.setOffline(true);
  await page.reload();
  await appIsReady(page);
  await copies(page).waitFor();
  assert.ok((await page.locator("article h2").count()) > 0);
  await page.getByText("Page 2 of").waitFor();
  // The product came by a link within the app: there is no page of it, but its answer.
  await page.goto(address);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await copies(page).waitFor();
  await page.getByRole("link", { name: "Home" }).first().click();
  await page.getByText("48 deals", { exact: true }).waitFor();
  // The list came with its page, whose cards are a part of it.
  await page.locator("article h2", { hasText: title }).first().waitFor();

  await context.setOffline(false);
  await page.reload();
  await appIsReady(page);
  await copies(page).waitFor({ state: "detached" });
});

visit(
  "the time of an offline copy is in Indian time",
  async (page, context) => {
    await openKept(page, "/");
    await context.setOffline(true);
    await page.reload();
    await appIsReady(page);
    const line = (await copies(page).textContent()).replace(/^Offline: as of |\.$/g, "");
    const dates = await page.evaluate(async () => {
      const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).matchAll()));
      return caught.flat().map(({ headers }) => headers.get("date"));
    });
    const inIndia = dates.map((date) => new Date(Date.parse(date) + 5.5 * 3_600_000).toISOString().slice(11, 16));
    assert.ok(inIndia.includes(line), `${line}: ${inIndia}`);
  },
  { timezoneId: "Pacific/Auckland" },
);

visit("the service worker fetches pages without navigation preload", async (page) => {
  await openKept(page, "/");
  const state = await page.evaluate(async () => {
    const { navigationPreload } = await navigator.serviceWorker.ready;
    return navigationPreload.getState();
  });
  assert.equal(state.enabled, false);
});

visit("saved deals open without a network", async (page, context) => {
  await openKept(page, "/");
  const card = page.locator("article").first();
  const title = await card.locator("h2").textContent();
  await card.getByRole("button", { name: /^Save/ }).click();
  await page.goto("/saved");
  await page.getByText(title).first().waitFor();
  await context.setOffline(true);
  await page.reload();
  await appIsReady(page);
  await page.getByText(title).first().waitFor();
});

visit("pages never visited load when the network is back", async (page, context) => {
  await openKept(page, "/");
  await context.setOffline(true);
  await page.goto("/?search=kettle");
  await page.getByRole("button", { name: "Retry" }).waitFor();
  await context.setOffline(false);
  await page.getByRole("heading", { name: "“kettle”" }).waitFor();
  await page.locator("article h2").first().waitFor();
});

visit("offline copies contain no account or office pages", async (page, context) => {
  await openKept(page, "/");
  await page.goto("/login");
  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByLabel("Password", { exact: true }).fill(process.env.PASSWORD);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await page.getByRole("button", { name: /^Logout/ }).first().waitFor();
  await page.goto("/admin/products");
  await page.getByRole("heading", { name: "Products", exact: true }).waitFor();
  await page.getByText("48 deals").first().waitFor();
  const kept = await keptAddresses(page);
  assert.ok(kept.includes("/"), kept.join());
  assert.deepEqual(
    kept.filter((path) => /^\/(user|login|admin|settings$|product\/(activity|export))/.test(path)),
    [],
  );
  await page.getByRole("button", { name: /^Logout/ }).first().click();
  await page.getByText("You are signed out").first().waitFor();
  await isForgotten(page, "/");
  await context.setOffline(true);
  await assert.rejects(page.goto("/profile"), /ERR_INTERNET_DISCONNECTED/);
});

visit("the offline copy of a deleted deal is removed on the next request", async (page, context) => {
  await page.goto("/");
  const address = await page.locator("article h2 a").last().getAttribute("href");
  await openKept(page, address);
  const call = address.replace("/details/", "/product/product/");
  const deleted = await page.evaluate(
    async ([path, password]) => {
      const post = (path, method, body) =>
        fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      await post("/user/sign-in", "POST", { email: "owner@example.com", password });
      return (await post(path, "DELETE")).status;
    },
    [address.replace("/details/", "/product/delete-product/"), process.env.PASSWORD],
  );
  assert.equal(deleted, 200);
  await page.goto(address);
  await page.getByText("Product not found.", { exact: true }).waitFor();
  for (const path of [address, call]) {
    await isForgotten(page, path);
  }
  await context.setOffline(true);
  await page.goto(address);
  await page.getByRole("button", { name: "Retry" }).waitFor();
});

visit("a service worker update keeps only the files of the previous build", async (page) => {
  await page.goto("/robots.txt", { waitUntil: "commit" });
  await page.evaluate(async () => {
    for (const build of ["oldest", "before"]) {
      const files = await caches.open(`deals:${build}:files`);
      await files.put(`/assets/${build}.js`, new Response(build));
    }
  });
  await openKept(page, "/");
  const files = await page.evaluate(() =>
    Promise.all(["oldest", "before"].map(async (build) => (await fetch(`/assets/${build}.js`)).status)),
  );
  assert.deepEqual(files, [404, 200]);
});

visit("the service worker of a shop without offline copies unregisters itself", async (page) => {
  await openKept(page, "/");
  await page.evaluate(() => navigator.serviceWorker.register("/sw-off.js"));
  await eventually(
    page,
    async () => (await caches.keys()).length === 0 && (await navigator.serviceWorker.getRegistrations()).length === 0,
  );
});
