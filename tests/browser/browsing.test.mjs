// A visitor in the demo shop: 48 products, nobody signed in.

import assert from "node:assert/strict";
import {
  assertAccessible,
  assertNoSidewaysScroll,
  DESKTOP,
  PHONE,
  said,
  setTextSize,
  SIZES,
  visits,
  withoutContent,
} from "./browser.mjs";

const visit = visits();

const titles = (page) => page.locator("article h2").allTextContents();

/** Waits until the cards are the products that the API gives for a query. */
async function showsTheAnswerTo(page, query) {
  const expected = await page.evaluate(async (asked) => {
    const answer = await fetch(`/product/get-products?${asked}`);
    return (await answer.json()).data.map(({ title }) => title);
  }, query);
  assert.ok(expected.length > 0);
  await page.waitForFunction(
    (wanted) =>
      JSON.stringify([...document.querySelectorAll("article h2")].map((title) => title.textContent)) === wanted,
    JSON.stringify(expected),
  );
}

visit("the list shows ten products with pictures, prices and the number of all", async (page) => {
  await page.goto("/");
  await page.getByText("48 deals", { exact: true }).waitFor();
  await page.getByText("Page 1 of 5").waitFor();
  assert.equal((await titles(page)).length, 10);
  const first = page.locator("article").first();
  await first.getByText(/₹[\d,]+\.\d\d/).first().waitFor();
  await page.waitForFunction(() => document.querySelector("article img")?.naturalWidth > 0);
});

visit("searching by Enter and by the button narrows the list and stays in the address", async (page) => {
  await page.goto("/");
  const field = page.getByRole("searchbox");
  await field.fill("cable");
  await field.press("Enter");
  await page.waitForURL("**/?search=cable");
  await page.getByRole("heading", { name: "“cable”" }).waitFor();
  await showsTheAnswerTo(page, "search=cable&sortBy=relevance");
  await field.fill("no such thing anywhere");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("No deals match “no such thing anywhere”.").waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "“cable”" }).waitFor();
  assert.equal(await field.inputValue(), "cable");
});

visit("filters, sort and page work together", async (page) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("Page 2 of 5").waitFor();
  await page.getByRole("navigation", { name: "Categories" }).getByRole("link", { name: /^Books/ }).click();
  await page.getByText("Page 1 of 2").waitFor();
  await page.getByText("12 deals").waitFor();
  await page.getByLabel("Sort by").selectOption("price");
  await page.waitForURL("**/category/books?sortBy=price&order=asc");
  await page.getByLabel("Order").selectOption("desc");
  await page.waitForURL("**/category/books?sortBy=price");
  await showsTheAnswerTo(page, "category=Books&sortBy=price&order=desc");
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.waitForURL("**/?page=2");
  await page.getByText("Page 2 of 5").waitFor();
  await page.goForward();
  await page.getByText("12 deals").waitFor();
});

visit("filters are one line above five columns of deals", async (page) => {
  await page.setViewportSize(DESKTOP);
  await page.goto("/category/electronics");
  const tops = (it) => it.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
  const chips = await tops(page.getByRole("list", { name: "Quick filters" }).getByRole("listitem"));
  assert.equal(new Set(chips).size, 1);
  const cards = await tops(page.getByRole("article"));
  assert.deepEqual(cards.map((top) => top === cards[0]), cards.map((_, at) => at < 5));
  assert.ok(chips[0] < cards[0]);
});

visit("an address with filters restores the filtered list", async (page) => {
  await page.goto("/?category=Home&sortBy=price&order=desc&page=2");
  await page.getByText("Page 2 of 2").waitFor();
  assert.ok(await page.getByRole("button", { name: "Next" }).isDisabled());
  assert.equal(await page.getByLabel("Sort by").inputValue(), "price");
  const home = page.getByRole("navigation", { name: "Categories" }).getByRole("link", { name: /^Home/ });
  assert.equal(await home.getAttribute("aria-current"), "page");
});

visit("a product opens, and back returns to the same place of the list", async (page) => {
  await page.goto("/");
  const card = page.locator("article").nth(8);
  const title = await card.locator("h2").textContent();
  await card.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  assert.ok(scrolled > 200);
  await card.getByRole("link", { name: "View Details" }).click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await page.locator("article").nth(8).waitFor();
  await page.waitForFunction((y) => Math.abs(window.scrollY - y) < 2, scrolled);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "View Details");
});

visit("the details page shows Loading... until its data arrives", async (page) => {
  await page.goto("/");
  const address = await page.locator("article h2 a").first().getAttribute("href");
  let release;
  const blocked = new Promise((resolve) => {
    release = resolve;
  });
  await withoutContent(page);
  await page.route("**/product/product/*", async (route) => {
    await blocked;
    await route.continue();
  });
  await page.goto(address);
  await page.getByText("Loading...").waitFor();
  release();
  await page.getByRole("heading", { level: 1 }).and(page.locator(":not(.sr-only)")).waitFor();
  await page.getByText("Added", { exact: true }).waitFor();
  assert.equal(await page.getByText("Loading...").count(), 0);
});

visit("buying opens the seller in a new tab and counts one click", async (page, context) => {
  await page.goto("/?search=kettle");
  const card = page.locator("article").first();
  const before = Number(/([\d,]+) Clicks?/.exec(await card.textContent())[1]);
  const buy = card.getByRole("link", { name: /^Buy It on/ });
  const seller = await buy.getAttribute("href");
  const [tab] = await Promise.all([context.waitForEvent("page"), buy.click()]);
  await said(page, "🎉 Click Recorded!");
  await tab.waitForLoadState();
  assert.equal(new URL(tab.url()).origin, new URL(seller).origin);
  assert.equal(await tab.evaluate(() => window.opener), null);
  await page.bringToFront();
  await card.getByText(new RegExp(`^${before + 1} Clicks?$`)).waitFor();
});

visit("a click that can't be counted still opens the seller", async (page, context) => {
  await page.goto("/");
  await page.route("**/product/increament-views/*", (route) => route.abort());
  const buy = page.locator("article").first().getByRole("link", { name: /^Buy It on/ });
  const [tab] = await Promise.all([context.waitForEvent("page"), buy.click()]);
  await said(page, "product increament failed");
  await tab.waitForLoadState();
});

visit("buying a deleted deal says that the deal ended", async (page, context) => {
  await page.goto("/");
  await page.route("**/product/increament-views/*", (route) =>
    route.fulfill({ status: 404, json: { error: "Product not found." } }),
  );
  const buy = page.locator("article").first().getByRole("link", { name: /^Buy It on/ });
  const [tab] = await Promise.all([context.waitForEvent("page"), buy.click()]);
  await said(page, "This deal has ended here; the seller may still have it.");
  await tab.waitForLoadState();
});

visit("sharing copies the link where the browser has no dialog of its own", async (page, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "share"));
  await page.goto("/");
  await page.locator("article h2 a").first().click();
  await page.getByRole("button", { name: "Share" }).click();
  await said(page, "Link copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
});

visit("the theme is applied before the first paint and remembered", async (page) => {
  await page.goto("/");
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  const toggle = page.getByRole("button", { name: /^Theme:/ });
  await toggle.click();
  const dark = await background();
  assert.notEqual(dark, light);
  // Without the app's script, the page has the stored theme already.
  await page.route("**/assets/index-*.js", (route) => route.abort());
  await page.reload({ waitUntil: "domcontentloaded" });
  assert.equal(await background(), dark);
});

visit("the system's dark theme is followed until another is chosen", async (page) => {
  await page.goto("/");
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  assert.equal(await scheme(), "light dark");
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert.equal(background, "rgb(16, 18, 22)");
}, { colorScheme: "dark" });

visit("a list that failed to load is retried when the server is back", async (page) => {
  let down = true;
  await withoutContent(page);
  await page.route("**/product/get-products*", (route) => (down ? route.abort() : route.continue()));
  await page.goto("/");
  await page.getByText("Failed to load products").waitFor();
  down = false;
  await page.getByText("48 deals", { exact: true }).waitFor();
});

visit("pictures of any shape keep within their frames", async (page) => {
  const shapes = [
    [300, 900],
    [900, 300],
    [400, 400],
  ];
  let next = 0;
  await page.route("**/demo/*.svg", (route) => {
    const [width, height] = shapes[next++ % shapes.length];
    const size = `width="${width}" height="${height}"`;
    const body = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="red"/></svg>`;
    return route.fulfill({ contentType: "image/svg+xml", body });
  });
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await page.goto("/");
    await page.waitForFunction(() => document.querySelector("article img")?.naturalWidth > 0);
    const overflowing = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("img")]
          .map((picture) => [picture.getBoundingClientRect(), picture.parentElement.getBoundingClientRect()])
          .filter(([inner, outer]) => inner.height > outer.height + 1 || inner.width > outer.width + 1).length,
      );
    assert.equal(await overflowing(), 0);
    await page.locator("article h2 a").first().click();
    await page.getByText("Added", { exact: true }).waitFor();
    await page.waitForFunction(() => document.querySelector("img")?.naturalWidth > 0);
    assert.equal(await overflowing(), 0);
  }
});

visit("the search link keeps the filters", async (page) => {
  await page.goto("/?category=Books");
  await page.getByText("12 deals").waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Search" }).click();
  await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "search");
  assert.equal(new URL(page.url()).search, "?category=Books");
  const card = page.locator("article").nth(8);
  await card.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  await card.getByRole("link", { name: "View Details" }).click();
  await page.getByText("Added", { exact: true }).waitFor();
  await page.goBack();
  await page.waitForFunction((y) => Math.abs(window.scrollY - y) < 2, scrolled);
}, { viewport: PHONE });

visit("turning a page moves the focus to the top of the list", async (page) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("Page 2 of 5").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
  await page.keyboard.press("ArrowRight");
  await page.getByText("Page 3 of 5").waitFor();
});

visit("unknown products and addresses show a not-found page", async (page) => {
  await page.goto("/details/nope");
  await page.getByText("Product not found.").waitFor();
  await said(page, "Failed to load product details. Please try again later.");
  await page.goto("/no/such/page");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

visit("/search leads to the search box", async (page) => {
  await page.goto("/details/nope");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Search" }).click();
  await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "search");
}, { viewport: PHONE });

visit("everything can be reached by the keyboard alone", async (page) => {
  await page.goto("/?search=kettle");
  await page.locator("article").first().waitFor();
  const reached = new Set();
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press("Tab");
    reached.add(
      await page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
      }),
    );
  }
  const names = [...reached].join("|");
  for (const wanted of ["Skip to content", "Skip to the deals", "Home", "Search", "Search deals", "View Details", "Buy It on"]) {
    assert.ok(names.includes(wanted), `${wanted} is not in ${names}`);
  }
});

visit("elements that scroll sideways show no scroll bar", async (page) => {
  await page.setViewportSize(PHONE);
  for (const path of ["/", "/?category=Books"]) {
    await page.goto(path);
    await page.locator("article").first().waitFor();
    const bars = await page.evaluate(() => {
      const pushed = [...document.querySelectorAll("body *")].filter((it) => it.scrollWidth > it.clientWidth);
      return pushed
        .filter((it) => ["auto", "scroll"].includes(getComputedStyle(it).overflowX))
        .map((it) => [it.className, getComputedStyle(it).scrollbarWidth]);
    });
    assert.ok(bars.length > 0);
    assert.deepEqual(bars.filter(([, width]) => width !== "none"), []);
  }
});

for (const [width, viewport, text, colorScheme] of SIZES) {
  visit(
    `axe finds nothing and nothing is cut off on ${width} in the ${colorScheme} theme`,
    async (page) => {
      await setTextSize(page, text);
      for (const path of ["/", "/?category=Clothing&minDiscount=20&maxPrice=2000"]) {
        await page.goto(path);
        await page.locator("article").first().waitFor();
        await assertAccessible(page, path);
        await assertNoSidewaysScroll(page, path);
      }
      const address = await page.locator("article h2 a").first().getAttribute("href");
      await page.goto("/?search=qqqq");
      await page.getByText("No deals match").waitFor();
      await assertAccessible(page, "nothing found");
      await page.goto(address);
      await page.getByText("Added", { exact: true }).waitFor();
      await assertAccessible(page, "details");
      await assertNoSidewaysScroll(page, "details");
      await page.goto("/saved");
      await page.getByText("You have not saved a deal yet.").waitFor();
      await assertAccessible(page, "saved");
      await assertNoSidewaysScroll(page, "saved");
      await page.goto("/no/such/page");
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
      await assertAccessible(page, "not found");
      // A page of its own, without the app.
      await page.goto("/docs", { waitUntil: "commit" });
      await page.getByRole("heading", { name: "Shapes" }).waitFor();
      await assertAccessible(page, "the description of the API");
      await assertNoSidewaysScroll(page, "the description of the API");
    },
    { viewport, colorScheme },
  );
}

visit(
  "a phone has its bar at the bottom with targets of 44 px or more",
  async (page) => {
    await page.goto("/");
    await page.locator("article").first().waitFor();
    const small = await page.evaluate(() => {
      const shown = [...document.querySelectorAll("a, button, select, input")].filter(
        (element) => element.checkVisibility() && !element.matches("h2 a"),
      );
      // Elements of a single pixel are for screen readers only.
      return shown
        .map((element) => [element, element.getBoundingClientRect().height])
        .filter(([, height]) => height > 1 && height < 44)
        .map(([element]) => element.outerHTML.slice(0, 120));
    });
    assert.deepEqual(small, []);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Search" }).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "search");
  },
  { viewport: PHONE, hasTouch: true },
);

visit("a product on paper has its facts and the address of the seller, and no buttons", async (page) => {
  await page.goto("/");
  await page.goto(await page.locator("article h2 a").first().getAttribute("href"));
  const seller = await page.getByRole("link", { name: /^Buy It on/ }).getAttribute("href");
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.getByText(seller).isVisible());
  assert.ok(await page.getByRole("heading", { level: 1 }).isVisible());
  for (const name of [/^Buy It on/, "Share", "Back", /^Theme/]) {
    const control = page.getByRole("link", { name }).or(page.getByRole("button", { name }));
    for (const each of await control.all()) {
      assert.ok(!(await each.isVisible()), String(name));
    }
  }
});

visit(
  "a list on paper begins with its heading",
  async (page) => {
    await page.goto("/?category=Books");
    await page.emulateMedia({ media: "print" });
    const room = await page.locator("h1").evaluate((heading) => {
      const row = heading.parentElement.parentElement;
      return heading.getBoundingClientRect().top - row.getBoundingClientRect().top;
    });
    assert.ok(room < 8, `${room} px above the heading`);
  },
  { viewport: PHONE },
);
