// Coming to the demo shop from a link: what is there before the app is, and what the
// app makes of it.

import assert from "node:assert/strict";
import { appIsReady, PHONE, SCREENS, SHOP, said, slowClock, visits, watchLayout } from "./browser.mjs";

const visit = visits();

/** Keeps what happens to the layout, and which requests the page makes. */
async function watch(page) {
  const requests = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/product/")) {
      requests.push(pathname);
    }
  });
  await watchLayout(page);
  return requests;
}

/**
 * Has the app come once the page is painted, and forgets what moved until then: a page that a busy
 * machine reads in pieces moves by itself, which is the subject of slowly.test.mjs.
 */
async function appAfterPaint(page) {
  await page.addInitScript(() => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    document.addEventListener("DOMContentLoaded", async () => {
      // The next frame begins after the previous one has been painted.
      await frame();
      await frame();
      await document.fonts.ready;
      await frame();
      await frame();
      window.shifts().length = 0;
      window.isPainted = true;
    });
  });
  await page.route("**/assets/react-*.js", async (route) => {
    await page.waitForFunction(() => window.isPainted);
    await route.continue();
  });
}

for (const [name, viewport] of SCREENS) {
  visit(
    `hydration requests nothing and moves nothing, on ${name}`,
    async (page) => {
      const requests = await watch(page);
      await slowClock(page);
      await appAfterPaint(page);
      // References to the server's elements, to see whether they stay.
      await page.addInitScript(() => {
        document.addEventListener("DOMContentLoaded", () => {
          window.served = [...document.querySelectorAll("main, article, img, h1, input")];
        });
      });
      for (const address of ["/", "/?search=cable&category=Electronics", "/?minDiscount=25&page=2"]) {
        requests.length = 0;
        await page.goto(address);
        const kept = await page.evaluate(() => [
          window.served.length,
          window.served.every((element) => element.isConnected),
        ]);
        assert.ok(kept[0] > 10);
        assert.ok(kept[1], `${address}: elements were made anew`);
        const asked = requests.filter((path) => !path.startsWith("/product/get-products"));
        assert.deepEqual(asked, [], address);
        await page.waitForFunction(() => [...document.images].every(({ complete, loading }) => complete || loading === "lazy"));
        assert.deepEqual(await page.evaluate(() => window.shifts()), [], address);
      }
      const details = await page.locator("article h2 a").first().getAttribute("href");
      // The list fetches its next page when it has time, until it is left.
      await page.evaluate(() => window.location.assign("about:blank"));
      await page.waitForURL("about:blank");
      requests.length = 0;
      await page.goto(details);
      assert.ok(await page.evaluate(() => window.served.every((element) => element.isConnected)));
      assert.deepEqual(requests, []);
      assert.deepEqual(await page.evaluate(() => window.shifts()), []);
    },
    { viewport },
  );
}

visit("the list needs at most 100 KiB of script before anybody touches it", async (page) => {
  await page.goto("/");
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType("resource").flatMap(({ name }) => (name.endsWith(".js") ? [name] : [])),
  );
  const scripts = await Promise.all(
    loaded.map(async (address) => {
      const { headers } = await fetch(address, { headers: { "accept-encoding": "br" } });
      return [new URL(address).pathname, Number(headers.get("content-length"))];
    }),
  );
  const sum = scripts.reduce((total, [, size]) => total + size, 0);
  assert.ok(sum > 50_000 && sum <= 102_400, JSON.stringify([sum, scripts]));
});

/** Opens the shop and keeps its app back until it is let through. */
async function openWithoutApp(page, address = "/") {
  let release;
  const blocked = new Promise((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/main-*.js", async (route) => {
    await blocked;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("first-paint").length > 0);
  return async () => {
    release();
    await appIsReady(page);
  };
}

visit("a click before hydration is counted once, and reported", async (page, context) => {
  await page.goto("/");
  const address = await page.locator("article h2 a").first().getAttribute("href");
  const clicks = () =>
    page.evaluate(async (path) => {
      const answer = await fetch(path.replace("/details/", "/product/product/"));
      return (await answer.json()).product.clicks;
    }, address);
  const before = await clicks();
  const letAppIn = await openWithoutApp(page);
  const buy = page.locator("article").first().getByRole("link", { name: /^Buy It on/ });
  const counted = page.waitForResponse((response) => response.url().includes("increament-views"));
  const [seller] = await Promise.all([context.waitForEvent("page"), buy.click()]);
  await counted;
  await seller.close();
  await letAppIn();
  await said(page, "🎉 Click Recorded!");
  await page.locator("article").first().getByText(new RegExp(`^${before + 1} Clicks?$`)).waitFor();
  assert.equal(await clicks(), before + 1);
  const [again] = await Promise.all([context.waitForEvent("page"), buy.click()]);
  await again.close();
  await page.locator("article").first().getByText(new RegExp(`^${before + 2} Clicks?$`)).waitFor();
  assert.equal(await clicks(), before + 2);
});

visit("text typed before hydration is kept", async (page) => {
  const letAppIn = await openWithoutApp(page);
  const field = page.getByRole("searchbox");
  await field.fill("kettle");
  await letAppIn();
  await page.getByRole("button", { name: "Clear search" }).waitFor();
  await field.press("Enter");
  await page.getByRole("heading", { name: "“kettle”" }).waitFor();
});

visit("a picture that failed before hydration is replaced by a drawing", async (page) => {
  await page.route("**/demo/*.svg", (route) => route.abort());
  const letAppIn = await openWithoutApp(page);
  assert.ok((await page.locator("article img").count()) > 0);
  await letAppIn();
  await page.waitForFunction(() => document.querySelector("article svg.drawing") !== null);
});

for (const [name, viewport] of [["a small phone", { width: 360, height: 640 }], ...SCREENS]) {
  visit(
    `the typeface moves next to nothing when it comes late, on ${name}`,
    async (page) => {
      await page.goto("/");
      const details = await page.locator("article h2 a").first().getAttribute("href");
      for (const address of ["/", "/?category=Books", details]) {
        let letIn;
        const held = new Promise((resolve) => {
          letIn = resolve;
        });
        await page.route("**/*.woff2", async (route) => {
          await held;
          await route.continue();
        });
        await watchLayout(page);
        // It loads as long as the typeface is held.
        await page.goto(address, { waitUntil: "domcontentloaded" });
        await page.evaluate(() => {
          window.shifts().length = 0;
        });
        letIn();
        await page.evaluate(() => document.fonts.ready);
        const moved = await page.evaluate(async () => {
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          return window.shifts();
        });
        const sum = moved.reduce((sum, [value]) => sum + value, 0);
        assert.ok(sum <= 0.02, `${address}: ${JSON.stringify(moved)}`);
        await page.unroute("**/*.woff2");
      }
    },
    { viewport },
  );
}

visit("filters chosen before hydration all apply", async (page) => {
  const letAppIn = await openWithoutApp(page);
  await page.getByLabel("Sort by").selectOption("price");
  await page.getByLabel("Order").selectOption("asc");
  await letAppIn();
  await page.waitForURL("**/?sortBy=price&order=asc");
});

visit("a screen whose code can't be fetched says so, and the way back still works", async (page) => {
  await page.goto("/");
  await page.route("**/assets/account-screens-*.js", (route) => route.abort());
  await page.getByRole("link", { name: "Login" }).click();
  await page.getByText("This screen could not be loaded").waitFor();
  await page.unroute("**/assets/account-screens-*.js");
  await page.goBack();
  await page.getByText("48 deals", { exact: true }).waitFor();
});

visit("going back after a reload restores the scroll position of the list", async (page) => {
  await page.goto("/");
  const card = page.locator("article").nth(8);
  await card.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  assert.ok(scrolled > 200);
  await card.getByRole("link", { name: "View Details" }).click();
  await page.getByText("Added", { exact: true }).waitFor();
  await page.reload();
  await appIsReady(page);
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await page.locator("article").nth(8).waitFor();
  await page.waitForFunction((y) => Math.abs(window.scrollY - y) < 2, scrolled);
});

visit("filters and buttons used before hydration take effect after it", async (page) => {
  const letAppIn = await openWithoutApp(page);
  await page.getByRole("button", { name: "Theme: system" }).click();
  await page.getByLabel("Sort by").selectOption("price");
  await letAppIn();
  await page.waitForURL("**/?sortBy=price&order=asc");
  await page.getByRole("button", { name: "Theme: dark" }).waitFor();
});

visit("the list is fetched again only when the visitor returns to it", async (page) => {
  const requests = await watch(page);
  await slowClock(page);
  await page.goto("/");
  // The next page is fetched while nothing else is to do, and this one is not.
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("get-products?page=2")),
  );
  assert.deepEqual(requests, ["/product/get-products"]);
});

visit("the next page and a hovered product are prefetched", async (page) => {
  const requests = await watch(page);
  await slowClock(page);
  await page.goto("/");
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("get-products?page=2")),
  );
  const before = requests.length;
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("Page 2 of 5").waitFor();
  const listed = requests.slice(before).filter((path) => path.includes("get-products"));
  assert.ok(listed.length <= 1, "only the page after may be fetched");
  const link = page.locator("article h2 a").first();
  // The pointer may come to rest on another product when the list changes below it.
  const id = (await link.getAttribute("href")).split("/").pop();
  const details = `/product/product/${id}`;
  const fetched = page.waitForResponse((response) => new URL(response.url()).pathname === details);
  await link.hover();
  await fetched;
  await link.click();
  await page.getByText("Added", { exact: true }).waitFor();
  assert.deepEqual(
    requests.filter((path) => path === details),
    [details],
  );
});

visit(
  "everything a visitor needs works without JavaScript",
  async (page, context) => {
    await page.goto("/");
    assert.equal(await page.locator("article").count(), 10);
    await page.getByText("48 deals", { exact: true }).waitFor();
    await page.getByRole("searchbox").fill("cable");
    await page.getByRole("searchbox").press("Enter");
    await page.waitForURL("**/?search=cable");
    assert.equal(await page.getByRole("searchbox").inputValue(), "cable");
    await page.getByRole("heading", { name: "“cable”" }).waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/?page=2");
    await page.getByText("Page 2 of 5").waitFor();
    await page.getByLabel("Go to page").fill("4");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await page.getByText("Page 4 of 5").waitFor();
    await page.getByRole("navigation", { name: "Categories" }).getByRole("link", { name: /^Home/ }).click();
    const filters = page.getByRole("form", { name: "Price" });
    await filters.getByLabel("Highest price").fill("1500");
    await filters.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("heading", { name: "Home, up to ₹1,500", exact: true }).waitFor();
    await page.getByRole("link", { name: "Remove Up to ₹1,500" }).waitFor();
    await page.getByLabel("Sort by").selectOption("finalPrice");
    await page.locator("main form", { has: page.getByLabel("Sort by") }).getByRole("button", { name: "Apply" }).click();
    await page.waitForURL("**/category/home?*sortBy=finalPrice*");
    const buy = page.locator("article").first().getByRole("link", { name: /^Buy It on/ });
    const [seller] = await Promise.all([context.waitForEvent("page"), buy.click()]);
    await seller.waitForLoadState();
    await seller.close();
    const title = await page.locator("article h2").first().textContent();
    await page.getByRole("link", { name: "View Details" }).first().click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByText("Added", { exact: true }).waitFor();
    // Controls that need script are hidden by the stylesheet, before the first paint.
    await page.getByRole("button", { name: "Share" }).first().waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /^Theme/ }).first().waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await page.getByText("48 deals", { exact: true }).waitFor();
    await page.goto("/login");
    await page.getByText("This screen needs JavaScript.").waitFor();
  },
  { javaScriptEnabled: false },
);

visit(
  "a search without JavaScript keeps the other filters",
  async (page) => {
    await page.goto("/?category=Home&minDiscount=10");
    await page.getByRole("searchbox").fill("steel");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("heading", { name: "“steel” in Home" }).waitFor();
    await page.getByRole("link", { name: "Remove 10% off or more" }).waitFor();
  },
  { javaScriptEnabled: false, viewport: PHONE },
);

for (const colorScheme of ["light", "dark"]) {
  visit(
    `the shop is usable with forced colours (${colorScheme})`,
    async (page) => {
      await page.goto("/?category=Books&minDiscount=10");
      // Without backgrounds, what is pressed needs an edge and what is chosen a mark.
      const edges = await page.evaluate(() => {
        const edge = (selector) => getComputedStyle(document.querySelector(selector)).borderTopStyle;
        const chosen = document.querySelector(".filters a[aria-current]");
        return [edge("article a[target]"), edge("button[type=submit]"), getComputedStyle(chosen).outlineStyle];
      });
      assert.deepEqual(edges, ["solid", "solid", "solid"]);
    },
    { forcedColors: "active", colorScheme },
  );
}

visit("the shop can be put on a phone's home screen", async (page) => {
  await page.goto("/");
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector("link[rel=manifest]");
    return (await fetch(link.href)).json();
  });
  assert.equal(manifest.start_url, "/");
  assert.equal(manifest.display, "standalone");
  for (const icon of manifest.icons) {
    const shown = await page.evaluate(async ({ src }) => {
      const picture = new Image();
      picture.src = src;
      await picture.decode();
      return `${picture.naturalWidth}x${picture.naturalHeight}`;
    }, icon);
    assert.ok(icon.sizes === shown || icon.sizes === "any", icon.src);
  }
});

visit(
  "no animations run with reduced motion",
  async (page) => {
    await page.goto("/");
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll("*")].filter((element) => {
        const { animationName, transitionDuration } = getComputedStyle(element);
        return animationName !== "none" || !/^0s(, 0s)*$/.test(transitionDuration);
      }).length,
    );
    assert.equal(moving, 0);
  },
  { reducedMotion: "reduce" },
);
