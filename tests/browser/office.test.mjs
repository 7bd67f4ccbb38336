// The owner's office, owner@example.com, in a shop with demo products and two made-up months of clicks.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import {
  appIsReady,
  assertAccessible,
  assertNoSidewaysScroll,
  openOffice,
  PHONE,
  said,
  setTextSize,
  settled,
  signIn,
  SIZES,
  visits,
} from "./browser.mjs";

const { PASSWORD } = process.env;
const visit = visits();

visit("an administrator comes to the office from the bar, and back to the shop", async (page) => {
  await signIn(page, "owner@example.com", PASSWORD);
  await page.getByRole("link", { name: "Manage" }).click();
  await page.getByRole("heading", { name: "Today" }).waitFor();
  await page.locator("h1:focus").waitFor();
  const here = page.getByRole("navigation", { name: "Office" }).getByRole("link", { name: "Today" });
  assert.equal(await here.getAttribute("aria-current"), "page");
  const rail = page.getByRole("navigation", { name: "Office" });
  for (const name of ["Products", "Reports", "Sellers", "Settings", "Import and export", "Activity", "Webhooks"]) {
    const link = rail.getByRole("link", { name });
    if ((await link.count()) === 0) await rail.getByRole("button", { name: "More" }).click();
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  }
  await page.getByRole("link", { name: "View shop" }).click();
  await page.getByRole("heading", { name: "All deals" }).waitFor();
});

visit("the first page shows the week, rising deals and tasks", async (page) => {
  await openOffice(page, "/admin");
  const week = page.getByRole("region", { name: "This week" });
  await week.getByText(/clicks to sellers through Deals, .* than the week before\./).waitFor();
  await page.getByRole("region", { name: "Rising and falling" }).getByText(/^[+−]\d/).first().waitFor();
  await page.getByText("Searches that found nothing").waitFor();
  await page.getByRole("link", { name: "air cooler" }).waitFor();
  const once = page.getByRole("list", { name: "To do once" });
  await once.getByText(/Connect your domain · Keep backups$/).waitFor();
  const looks = page.getByRole("region", { name: "To do", exact: true });
  await looks.getByText("Amazon has rules for prices and stars").waitFor();
  await looks.getByRole("link", { name: /^Start with/ }).click();
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: /No clicks/ }).waitFor();
  await assertAccessible(page, "what is to check");
});

visit("panes beside each other are as high as their contents", async (page) => {
  await openOffice(page, "/admin");
  await page.getByText("Where visitors came from").waitFor();
  const empty = await page.locator(".pane").evaluateAll((panes) =>
    panes.map((pane) => {
      const { paddingBottom, borderBottomWidth } = getComputedStyle(pane);
      const end = Math.max(...[...pane.children].map((child) => child.getBoundingClientRect().bottom));
      const frame = Number.parseFloat(paddingBottom) + Number.parseFloat(borderBottomWidth);
      return pane.getBoundingClientRect().bottom - end - frame;
    }),
  );
  assert.ok(empty.length > 2 && empty.every((height) => height < 1), JSON.stringify(empty));
});

visit("each number of what is to check opens as many products", async (page) => {
  await openOffice(page, "/admin");
  const links = page.getByRole("list", { name: "To check, by reason" }).getByRole("link");
  await links.first().waitFor();
  for (let at = 0; at < (await links.count()); at += 1) {
    const link = links.nth(at);
    const name = await link.innerText();
    const number = [...name.matchAll(/\d+/g)].reduce((sum, [digits]) => sum + Number(digits), 0);
    await link.click();
    const rows = page.locator("main tbody tr");
    await rows.first().waitFor();
    assert.equal(await rows.count(), number, name);
    await page.goBack();
    await links.first().waitFor();
  }
});

visit("the week is shared as a picture", async (page) => {
  await openOffice(page, "/admin");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Share this" }).press("Enter");
  const picture = await readFile(await (await saved).path());
  assert.equal((await saved).suggestedFilename(), "week.png");
  // Width and height of a PNG.
  assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1080, 1080]);
  await said(page, "The picture is saved");
});

visit("a plot can be read by keyboard and as a table", async (page) => {
  await openOffice(page, "/admin/reports");
  const plot = page.getByRole("slider", { name: "Counted clicks and those not counted, by day" });
  await plot.focus();
  await page.keyboard.press("Home");
  const first = await plot.getAttribute("aria-valuetext");
  assert.match(first, /^\d+ \w+: [\d,]+ counted, [\d,]+ not counted$/);
  await page.locator(".plot > p").getByText(first).waitFor();
  await page.keyboard.press("ArrowRight");
  assert.equal(await plot.getAttribute("aria-valuenow"), "1");
  await page.keyboard.press("End");
  assert.equal(await plot.getAttribute("aria-valuenow"), "29");
  await page.keyboard.press("ArrowRight");
  assert.equal(await plot.getAttribute("aria-valuenow"), "29");
  await page.getByText("As a table").click();
  const table = page.getByRole("region", { name: "Counted clicks and those not counted, by day, as a table" });
  assert.equal(await table.getByRole("row").count(), 31);
  const [day, sums] = first.split(": ");
  const [counted, leftOut] = sums.match(/\d[\d,]*(?= )/g);
  assert.equal(await table.getByRole("row").nth(1).textContent(), day + counted + leftOut);
  await assertAccessible(page, "a plot with its table");
});

visit("Ctrl K finds screens and products without a mouse", async (page) => {
  await openOffice(page, "/admin/activity");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Find a product or a screen" });
  await field.fill("set");
  await page.getByRole("option", { name: "Settings", exact: true }).waitFor();
  await assertAccessible(page, "the palette");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await field.fill("kettle");
  const kettle = page.getByRole("option", { name: /Kettle/ });
  await kettle.waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Update product" }).waitFor();
  await page.keyboard.press("Control+k");
  await field.fill("ketle");
  await kettle.first().waitFor();
  await field.fill("zzqqxx");
  await page.getByText("Nothing found.").waitFor();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
});

visit("reports compare with the previous period", async (page) => {
  await openOffice(page, "/admin/reports");
  await page.getByText(/^(Up|Down) .* the 29 days before, without today$/).waitFor();
  await page.getByRole("list", { name: "Why not counted" }).getByText(/^\d[\d,]* · Bots$/).waitFor();
  const rows = page.locator(".report tbody tr");
  await rows.first().waitFor();
  assert.equal(await rows.count(), 10);
  await page.getByRole("button", { name: /^Show all \d+$/ }).click();
  assert.ok((await rows.count()) > 10);
  await page.getByText(/Went to the seller: share of the views of a deal's own page/).waitFor();
  await page.getByText("Each click that was not counted").waitFor();
  assert.equal(await page.locator(".lines li").count(), 0);
  await page.getByText("Each click that was not counted").click();
  await page.getByText("Known bots and obvious scripts are not counted; clever ones may be.").waitFor();
  await page.getByLabel("Group by").selectOption("source");
  await page.getByRole("link", { name: "Amazon", exact: true }).click();
  await page.getByRole("button", { name: "Only Amazon ✕" }).waitFor();
  await page.goto("/admin/reports?from=2026-11-30&to=2026-11-01");
  await page.getByText("The range ends before it begins.").waitFor();
  await page.goto("/admin/reports?from=2019-01-01&to=2019-01-31");
  await page.getByText("No clicks in this period.").waitFor();
});

visit("bars of clicks have the owner's colour", async (page) => {
  await openOffice(page, "/admin");
  for (const [path, bars] of [["/admin", 4], ["/admin/reports", 10]]) {
    await page.goto(path);
    await page.waitForFunction((bars) => document.querySelectorAll("[style*=width]").length >= bars, bars);
    const colours = await page.evaluate(() => {
      const of = (it) => getComputedStyle(it).borderBottomColor;
      const button = document.createElement("b");
      button.style.borderBottom = "1px solid var(--fill)";
      document.body.append(button);
      return [of(button), ...[...document.querySelectorAll("[style*=width]")].map(of)];
    });
    assert.equal(new Set(colours).size, 1, path);
  }
});

visit("a form of the office stands beside the list of what it makes, and files are chosen by the shop's own buttons", async (page) => {
  await openOffice(page, "/admin");
  for (const path of ["/admin/people", "/admin/keys", "/admin/webhooks"]) {
    await page.goto(path);
    await page.locator(".form-first > :nth-child(2)").waitFor();
    const [form, list] = await page.evaluate(() =>
      [...document.querySelector(".form-first").children].map((it) => it.getBoundingClientRect()),
    );
    assert.ok(form.top === list.top && form.right < list.left, path);
  }
  for (const path of ["/admin/settings", "/admin/files"]) {
    await page.goto(path);
    await page.locator("input[type=file]").first().waitFor({ state: "attached" });
    const sizes = await page.evaluate(() =>
      [...document.querySelectorAll("input[type=file]")].map((it) => it.getBoundingClientRect().width),
    );
    assert.ok(Math.max(...sizes) <= 1, `${path}: ${sizes.join()}`);
  }
});

visit("the rules of a seller's programme are chosen, one by one too", async (page) => {
  await openOffice(page, "/admin/sources");
  const amazon = page.getByRole("rowgroup", { name: "Amazon", exact: true });
  await amazon.getByText("Amazon allows prices up to 24 hours old and no stars.").waitFor();
  await amazon.getByRole("button", { name: "Follow Amazon’s rules" }).click();
  await said(page, "Rules of Amazon saved");
  await amazon.getByRole("button", { name: "What is shown of Amazon: Amazon’s rules" }).press("Enter");
  const hours = amazon.getByLabel(/^Hide prices older than/);
  assert.equal(await hours.inputValue(), "24");
  await hours.fill("0");
  await amazon.getByText("Enter whole hours from 1 to 2160, or leave it empty.").waitFor();
  await hours.fill("12");
  await amazon.getByRole("button", { name: "Save the rules of Amazon" }).click();
  await amazon.getByRole("button", { name: "What is shown of Amazon: Own rules" }).waitFor();
  await assertAccessible(page, "rules");
  await amazon.getByRole("button", { name: "Show all again" }).click();
  await amazon.getByText("Amazon allows prices up to 24 hours old and no stars. You chose to show more.").waitFor();
});

visit("a picture that fails in a visitor's browser is listed until it loads in the owner's", async (page, context) => {
  const pictures = (route) => route.abort();
  await context.route("**/demo/*mouse*", pictures);
  await page.goto("/?search=hush");
  const reported = page.waitForResponse((answer) => answer.url().includes("/product/picture-failed/"));
  await page.reload();
  assert.equal((await reported).status(), 200);
  // Three addresses must agree.
  const report = (await reported).request();
  for (const address of ["10.9.0.1", "10.9.0.2"]) {
    const headers = { "content-type": "application/json", "x-forwarded-for": address };
    const answer = await fetch(report.url(), { method: "POST", headers, body: report.postData() });
    assert.deepEqual(await answer.json(), { noted: true });
  }
  await openOffice(page, "/admin");
  await page.getByRole("link", { name: /^Start with/ }).click();
  await page.getByRole("link", { name: /^1 ?No picture/ }).click();
  await page.getByText(/1 deal has one that does not load here either\./).waitFor();
  await page.getByText("Ludvane Hush Mouse").first().waitFor();
  await context.unroute("**/demo/*mouse*", pictures);
  const taken = page.waitForResponse((answer) => answer.url().includes("/product/picture-loads/"));
  await page.reload();
  // Browsers may drop the body of a keep-alive request; the list below shows what it did.
  assert.equal((await taken).status(), 200);
  await page.reload();
  await page.getByText("No deals with a picture that did not load.").waitFor();
});

visit("clicks of an excluded device are not counted", async (page) => {
  await openOffice(page, "/admin/settings#device");
  const choice = page.getByLabel("Don't count clicks of this device, also when I am signed out");
  await choice.check();
  await said(page, "Clicks of this device are not counted");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#device input")?.checked);
  await choice.uncheck();
  await said(page, "Clicks of this device are counted");
});

visit(
  "on a phone the office has tabs, and a sheet for the rest",
  async (page) => {
    await openOffice(page, "/admin");
    await page.getByRole("button", { name: "More", exact: true }).click();
    const sheet = page.getByRole("dialog", { name: "More" });
    await assertAccessible(page, "more");
    await sheet.getByRole("link", { name: "Sellers" }).click();
    await page.getByRole("heading", { name: "Sellers", exact: true }).waitFor();
    await sheet.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("combobox", { name: "Find a product or a screen" }).fill("rep");
    await page.getByRole("option", { name: "Reports" }).click();
    await page.getByRole("heading", { name: "Reports" }).waitFor();
  },
  { viewport: PHONE },
);

for (const [width, viewport, text] of SIZES) {
  visit(
    `nothing of the office scrolls sideways on ${width}`,
    async (page) => {
      await setTextSize(page, text);
      await signIn(page, "owner@example.com", PASSWORD);
      await appIsReady(page);
      const [{ _id }] = await page.evaluate(async () => {
        const { data } = await (await fetch("/product/get-products?search=festival&state=scheduled")).json();
        return data;
      });
      for (const path of [
        "/",
        "/add-product",
        `/update-product/${_id}`,
        "/profile",
        "/admin",
        ...["products", "reports", "sources", "files", "activity", "settings", "keys", "people", "setup", "webhooks"].map(
          (screen) => `/admin/${screen}`,
        ),
      ]) {
        await page.goto(path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await settled(page);
        await assertNoSidewaysScroll(page, path);
      }
      const tight = await page.locator(".office-tabs .bottom-item").evaluateAll((tabs) =>
        tabs.flatMap((tab) => {
          const label = document.createRange();
          label.selectNodeContents(tab);
          const [width, room] = [label, tab].map((it) => it.getBoundingClientRect().width);
          return room > 0 && width > room - 4 ? [tab.textContent] : [];
        }),
      );
      assert.deepEqual(tight, [], "labels of the tabs");
    },
    { viewport },
  );
}

for (const width of [320, 390, 900, 1280]) {
  const name = `the first page gives titles and buttons their room on a screen of ${width} px`;
  visit(name, async (page) => {
    await openOffice(page, "/admin");
    const movers = page.getByRole("region", { name: "Rising and falling" });
    await movers.getByText(/^[+−]\d/).first().waitFor();
    const { width: whole } = await movers.boundingBox();
    for (const cell of await movers.locator(".product-cell").all()) {
      assert.ok((await cell.boundingBox()).width > whole * 0.5);
    }
    const rows = await page.locator(".deal-row").evaluateAll((rows) =>
      rows.map((row) => {
        const [title, act] = [".product-cell", ".deal-act"].map((part) => row.querySelector(part).getBoundingClientRect());
        return act.top >= title.bottom ? "below" : act.left > title.right ? "beside" : "above each other";
      }),
    );
    assert.deepEqual([...new Set(rows)], [width === 900 ? "beside" : "below"]);
  }, { viewport: { width, height: 800 } });
}

visit("the profile keeps the frame of the office, and the shop's when it is opened from there", async (page) => {
  await openOffice(page, "/admin/reports");
  await page.locator(".rail a[href='/profile']").click();
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/profile");
  await page.locator(".rail a[href='/profile'][aria-current=page]").waitFor();
  await assertAccessible(page, "the profile in the office");
  await page.goto("/");
  await page.locator("a[href='/profile']:visible").click();
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  assert.equal(await page.locator(".rail").count(), 0);
});

visit("a heading that gets the focus has a ring only for those who use the keyboard", async (page) => {
  await openOffice(page, "/admin/reports");
  const heading = page.getByRole("heading", { level: 2, name: "By day" });
  await heading.waitFor();
  const ring = () =>
    heading.evaluate((element) => {
      element.blur();
      element.focus();
      return getComputedStyle(element).outlineStyle;
    });
  assert.equal(await ring(), "none");
  await page.keyboard.press("Shift");
  assert.equal(await ring(), "solid");
  await page.locator(".office-main").click({ position: { x: 2, y: 2 } });
  assert.equal(await ring(), "none");
});
