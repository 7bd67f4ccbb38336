// How the demo shop looks: columns, the band of the owner's colour, grounds of pictures, and buttons.

import assert from "node:assert/strict";
import { assertAccessible, assertNoSidewaysScroll, PHONE, setTextSize, visits } from "../browser.mjs";

const visit = visits();

visit("a line of the list has two deals on phones, three on tablets and five on wide screens", async (page) => {
  for (const [width, columns] of [
    [320, 2],
    [360, 2],
    [390, 2],
    [768, 3],
    [1024, 5],
    [1280, 5],
    [1920, 5],
  ]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ["/", "/?category=Books"]) {
      await page.goto(path);
      await page.locator("article").first().waitFor();
      await assertNoSidewaysScroll(page, `${path}, ${width}`);
      const cards = await page.evaluate(() =>
        [...document.querySelectorAll("article")].map((card) => {
          const { left } = card.getBoundingClientRect();
          return [Math.round(left), card.querySelector(".picture").clientWidth];
        }),
      );
      assert.equal(new Set(cards.map(([left]) => left)).size, columns, `${path}, ${width}`);
      assert.ok(Math.min(...cards.map(([, picture]) => picture)) >= 136, `${path}, ${width}`);
    }
  }
});

visit("the prices of a line of cards line up, and so do their buttons", async (page) => {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const rows = await page.evaluate(() => {
      const rows = {};
      for (const card of document.querySelectorAll("article")) {
        const top = (selector) => Math.round(card.querySelector(selector).getBoundingClientRect().top);
        const row = `${Math.round(card.getBoundingClientRect().top)}`;
        rows[row] ??= new Set();
        rows[row].add(`${top(".price")} ${top("h2")} ${top("[data-buy]")}`);
      }
      return Object.values(rows).map((row) => row.size);
    });
    assert.deepEqual([...new Set(rows)], [1], `${width}`);
  }
});

visit("every page begins with a band of the owner's colour, and its texts can be read in any accent", async (page) => {
  await page.goto("/");
  const detail = await page.locator("article h2 a").first().getAttribute("href");
  for (const accent of ["f4b223", "2f3aa8", "ffff00", "000000", "ffffff"]) {
    const palette = await (await page.request.get(`/settings/palette/${accent}`)).json();
    for (const path of ["/", detail, "/?search=cable"]) {
      await page.goto(path);
      await page.evaluate(({ light, dark }) => {
        const tokens = (colours) =>
          Object.entries(colours)
            .map(([name, colour]) => {
              const token = name.replace(/[A-Z]|\d/g, (mark) => `-${mark.toLowerCase()}`);
              return `--${token.replace("fill-strong", "fill-below")}:${colour}`;
            })
            .join(";");
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`:root{${tokens(light)}}@media (prefers-color-scheme:dark){:root{${tokens(dark)}}}`);
        document.adoptedStyleSheets.push(sheet);
      }, palette);
      const band = await page.locator("header").evaluate((header) => {
        const probe = header.appendChild(document.createElement("i"));
        probe.style.color = getComputedStyle(header).getPropertyValue("--band");
        const colours = [getComputedStyle(header).backgroundColor, getComputedStyle(probe).color];
        probe.remove();
        return colours;
      });
      assert.equal(band[0], band[1], path);
      await assertAccessible(page, `${path} in #${accent}`);
    }
  }
});

visit("in the dark a lamp is behind each picture, in place of a light square", async (page) => {
  await page.goto("/");
  const grounds = await page.evaluate(() =>
    [...document.querySelectorAll(".picture")].map((picture) => getComputedStyle(picture).backgroundImage),
  );
  assert.ok(grounds.length > 10 && grounds.every((ground) => ground.startsWith("radial-gradient")));
}, { colorScheme: "dark" });

visit("the drawing in place of a picture is dark on its light ground, in both themes", async (page) => {
  await page.route("**/demo/*", (route) => route.abort());
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/?category=Books");
    const drawing = page.locator("article .drawing").first();
    await drawing.waitFor();
    const colour = await drawing.evaluate((it) => getComputedStyle(it).color);
    assert.ok(colour.match(/\d+/g).every((part) => Number(part) < 80), `${colorScheme}: ${colour}`);
  }
});

visit("Buy is tonal in lists and filled where one deal is the subject", async (page) => {
  const colour = (selector) =>
    page.locator(selector).first().evaluate((element) => {
      const { backgroundColor } = getComputedStyle(element);
      const { fill, tint } = { fill: "--fill", tint: "--accent-bg" };
      const token = (name) => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = `var(${name})`;
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      };
      return backgroundColor === token(fill) ? "filled" : backgroundColor === token(tint) ? "tonal" : backgroundColor;
    });
  await page.goto("/");
  assert.equal(await colour("article [data-buy]"), "tonal");
  await page.goto(await page.locator("article h2 a").first().getAttribute("href"));
  assert.equal(await colour(".buy-box [data-buy]"), "filled");
});

visit("the second stop of the keyboard leads to the deals", async (page) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the deals");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const inside = await page.evaluate(() => document.getElementById("deals").contains(document.activeElement));
  assert.ok(inside);
});

visit("a card has one line of each kind, and pictures take the most of it", async (page) => {
  await page.goto("/");
  const shares = await page.evaluate(() =>
    [...document.querySelectorAll("article")].map((card) => {
      const picture = card.querySelector(".picture").getBoundingClientRect();
      const { width, height } = card.getBoundingClientRect();
      return (picture.width * picture.height) / (width * height);
    }),
  );
  assert.ok(Math.min(...shares) > 0.38, shares.join());
}, { viewport: PHONE });

visit("the page is white, and every picture has a ground of its category", async (page) => {
  await page.goto("/");
  const grounds = await page.evaluate(() => [
    getComputedStyle(document.documentElement).backgroundColor,
    ...new Set([...document.querySelectorAll(".picture")].map((it) => getComputedStyle(it).backgroundColor)),
  ]);
  assert.equal(grounds[0], "rgb(255, 255, 255)");
  assert.equal(new Set(grounds).size, 5, grounds.join());
});

visit("the footer of a wide screen has three columns and rows of 36 px at most", async (page) => {
  await page.goto("/");
  const { columns, rows } = await page.evaluate(() => {
    const parts = [...document.querySelector("footer .page").children];
    const links = [...document.querySelectorAll("footer :is(ul, nav) a")];
    return {
      columns: new Set(parts.map((it) => Math.round(it.getBoundingClientRect().left))).size,
      rows: links.map((it) => it.getBoundingClientRect().height),
    };
  });
  assert.equal(columns, 3);
  assert.ok(rows.length > 4 && Math.max(...rows) <= 36, rows.join());
});

visit("the words of a category stay within its tile, also with text of twice the size", async (page) => {
  await setTextSize(page, "200%");
  await page.goto("/");
  const tiles = await page.locator(".shop-tile").evaluateAll((tiles) =>
    tiles.map((tile) => [tile.lastElementChild, tile].map((part) => part.getBoundingClientRect().bottom)),
  );
  assert.ok(tiles.length > 2);
  for (const [words, tile] of tiles) assert.ok(words <= tile, `${words} of ${tile}`);
});

visit("a phone has Saved at the bottom, and the end of a deal in one line beside its heart", async (page) => {
  await page.setViewportSize(PHONE);
  await page.goto("/");
  const saved = page.getByRole("link", { name: "Saved deals" });
  assert.equal(await saved.count(), 1);
  assert.ok((await saved.boundingBox()).y > PHONE.height - 80);
  const end = page.locator(".cards .ends-soon").first();
  const height = await end.evaluate((label) => {
    label.firstChild.textContent = "Ends tomorrow 08:51";
    return label.getBoundingClientRect().height;
  });
  assert.ok(height < 24, `${height} px`);
});
