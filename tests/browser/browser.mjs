// A real headless Chromium from npm, as an ordinary user, without a display.

import { AxeBuilder } from "@axe-core/playwright";
import chromium from "@sparticuz/chromium";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium as playwright } from "playwright-core";

/** The address of the shop under test. */
export const SHOP = process.env.SHOP_URL ?? "http://127.0.0.1:8080";

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };
/** The sizes of screen that differ in their layout: name, viewport, and the theme of a visit. */
export const SCREENS = [
  ["a phone", PHONE, "light"],
  ["a wide screen", DESKTOP, "dark"],
];

/** The sizes at which a visitor's screens are checked: name, viewport, size of the text, and theme. */
export const SIZES = [
  ["the narrowest phone", { width: 320, height: 640 }, "100%", "dark"],
  ["the narrowest screen, with a scroll bar and text of twice the size", { width: 305, height: 640 }, "200%", "light"],
  ["a phone", PHONE, "100%", "light"],
  ["a phone with text of twice the size", PHONE, "200%", "dark"],
  ["a tablet", { width: 768, height: 1024 }, "100%", "light"],
  ["a wide screen", DESKTOP, "100%", "dark"],
];

/** Milliseconds after which a test is given up, several times what the longest takes. */
const LIMIT = 300_000;

/** Starts the browser. Now and then it crashes as it does: it is started again then. */
export async function launch(more = [], tries = 3) {
  // A browser that is named is preferred to the one that npm brings.
  const named = process.env.CHROMIUM;
  const executablePath = named && existsSync(named) ? named : await chromium.executablePath();
  // A browser of a single process can't open tabs, and without it there has to be a zygote. The
  // rest emulates a graphics card, which takes two thirds of the browser's time.
  const unwanted = /^--(single-process|no-zygote|in-process-gpu|ignore-gpu-blocklist|.*(angle|swiftshader).*)$/;
  const args = chromium.args.filter((arg) => !unwanted.test(arg));
  try {
    const all = [...args, "--no-sandbox", "--disable-gpu", ...more];
    return await playwright.launch({ executablePath, args: all, headless: true });
  } catch (error) {
    if (tries === 1) throw error;
    return launch(more, tries - 1);
  }
}

/** How many visitors there have been. */
let visitors = 0;

/**
 * A fresh visitor: own storage, own address, no history. Nothing outside the shop is asked
 * for: sellers' pages and pictures get an empty answer of their own.
 */
async function visitor(browser, options = {}) {
  visitors += 1;
  const context = await browser.newContext({
    // One address may sign in some times a minute only. Shops without a proxy ignore it.
    extraHTTPHeaders: { "x-forwarded-for": `10.0.0.${visitors}` },
    viewport: DESKTOP,
    baseURL: SHOP,
    // The service worker is tested in offline.test.mjs; it would intercept requests.
    serviceWorkers: "block",
    ...options,
  });
  const problems = [];
  await context.route(
    (url) => url.origin !== new URL(SHOP).origin,
    (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<title>seller</title>" }),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.addInitScript(() => {
    window.asking = 0;
    window.answered = Date.now();
    const ask = window.fetch;
    window.fetch = (...given) => {
      window.asking += 1;
      return ask(...given).finally(() => {
        window.asking -= 1;
        window.answered = Date.now();
      });
    };
    window.shown = "";
    const keep = (changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          window.shown += `${node.textContent}\n`;
        }
      }
    };
    new MutationObserver(keep).observe(document, { childList: true, subtree: true });
  });
  if (options.javaScriptEnabled !== false) {
    // Tests are about the app unless they say otherwise: what a page does before the
    // app is there is the subject of arriving.test.mjs.
    const goto = page.goto.bind(page);
    page.goto = async (address, how) => {
      const answer = await goto(address, how);
      if (how?.waitUntil !== "commit") {
        await appIsReady(page);
      }
      return answer;
    };
  }
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // Requests that a test blocks may be logged as errors.
    const refused = /^Failed to load resource|Failed to fetch dynamically/.test(message.text());
    if (message.type() === "error" && !refused) {
      problems.push(message.text());
    }
  });
  return { context, page, problems };
}

/**
 * A browser for a file of tests, and the function that declares them: each gets a
 * visitor of its own and fails with an error in the console. A page that crashes is
 * visited once more.
 */
export function visits() {
  let browser;
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser.close();
  });
  return (name, steps, options) => {
    const visit = async () => {
      const { context, page, problems } = await visitor(browser, options);
      let crashed = false;
      page.on("crash", () => {
        crashed = true;
      });
      try {
        await steps(page, context);
        assert.deepEqual(problems, []);
      } catch (error) {
        return { error, crashed };
      } finally {
        await context.close();
      }
      return {};
    };
    test(name, { timeout: LIMIT }, async () => {
      let { error, crashed } = await visit();
      if (crashed) ({ error } = await visit());
      if (error) throw error;
    });
  };
}

/** Returns true, in the page, once the app has taken it over. */
export function isTakenOver() {
  return Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__reactProps"));
}

/** Waits until the app has taken the page over. */
export function appIsReady(page) {
  return page.waitForFunction(isTakenOver);
}

/** Waits until the page has loaded and no answer has come for a while. The driver's own wait may not end. */
export function settled(page) {
  return page.waitForFunction(
    () => document.readyState === "complete" && window.asking === 0 && Date.now() - window.answered > 300,
  );
}

/** Waits until the page has said this, also where it went by itself since. */
export function said(page, text) {
  return page.waitForFunction((text) => {
    const is = window.shown.includes(text);
    window.shown = window.shown.replace(text, "");
    return is;
  }, text);
}

/**
 * Has the page's clock go so slowly that what it keeps for some seconds stays fresh, however
 * long the machine takes.
 */
export function slowClock(page) {
  return page.addInitScript(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() / 100;
  });
}

/**
 * Keeps what moves on the page by itself. A browser counts what is moved by 3 px or more,
 * and where it can be seen.
 */
export function watchLayout(page) {
  return page.addInitScript(() => {
    const moved = [];
    const keep = (entries) => {
      for (const { value, sources } of entries) {
        moved.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 120))]);
      }
    };
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    window.shifts = () => {
      keep(observer.takeRecords());
      return moved;
    };
  });
}

/**
 * Lets the server's pages come without their content, as they do while its database
 * is busy: the app then asks for everything itself.
 */
export async function withoutContent(page) {
  const empty = await (await fetch(new URL("/login", SHOP))).text();
  await page.route(
    (url) => url.pathname === "/" || url.pathname.startsWith("/details/"),
    (route) =>
      route.request().isNavigationRequest()
        ? route.fulfill({ contentType: "text/html", body: empty })
        : route.continue(),
  );
}

/** Sets the size of the text on every page that follows. */
export function setTextSize(page, size) {
  return page.addInitScript((size) => {
    document.addEventListener("DOMContentLoaded", () => {
      document.documentElement.style.fontSize = size;
    });
  }, size);
}

/** Waits until colours that change have their last value: those between may lack contrast. */
function isStill(page) {
  // Not by the animations' promises: one that is replaced meanwhile need not settle.
  return page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => one.playState !== "running" || !Number.isFinite(one.effect?.getComputedTiming().endTime)),
  );
}

/** Returns what axe finds in the page, by these rules or all. */
async function violationsIn(page, rules = []) {
  await isStill(page);
  // No page has frames, and nobody reads what is in order: looking after both takes most of the time.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode(true);
  if (rules.length > 0) axe.withRules(rules);
  return (await axe.analyze()).violations;
}

/** Fails when axe finds anything in the page as it is, or in the colours of the other theme. */
export async function assertAccessible(page, what) {
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [now, other] = isDark ? ["dark", "light"] : ["light", "dark"];
  const violations = await violationsIn(page);
  // Where a page leaves its colours to the browser, axe takes the ground for white.
  const hasGround = await page.evaluate(() =>
    [document.documentElement, document.body].some((it) => getComputedStyle(it).backgroundColor !== "rgba(0, 0, 0, 0)"),
  );
  if (hasGround) {
    // No other rule depends on the theme.
    await page.emulateMedia({ colorScheme: other });
    violations.push(...(await violationsIn(page, ["color-contrast"])));
    await page.emulateMedia({ colorScheme: now });
  }
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  assert.deepEqual(found, [], what);
}

/** Fails when the page can be scrolled sideways. */
export async function assertNoSidewaysScroll(page, what) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  // Less than nothing where room for a scroll bar is kept free.
  assert.ok(overflow <= 0, `${what}: ${overflow} px`);
}

/** Signs in by the form. */
export async function signIn(page, email, password) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("link", { name: "Profile" }).or(page.getByRole("button", { name: "Logout" })).first().waitFor();
  await page.waitForFunction(() => localStorage.getItem("token") !== null);
}

/** Opens a screen of the office as owner@example.com. */
export async function openOffice(page, path) {
  await signIn(page, "owner@example.com", process.env.PASSWORD);
  await page.goto(path);
  // Who waits for the session has a heading too, but not the frame of the office.
  await page.locator(".office h1").waitFor();
}
