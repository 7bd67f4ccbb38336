// A shop whose name, tagline, pages, titles and sellers are single words of the longest kind, with prices in
// crores.

import { assertNoSidewaysScroll, setTextSize, SIZES, visits } from "../browser.mjs";

const visit = visits();

for (const [width, viewport, text] of SIZES) {
  visit(
    `long words never scroll a page sideways on ${width}`,
    async (page) => {
      await setTextSize(page, text);
      for (const path of ["/", "/?search=long", "/details/long", "/pages/about", "/saved", "/login", "/nowhere"]) {
        await page.goto(path);
        await page.locator("h1").waitFor();
        await assertNoSidewaysScroll(page, path);
      }
    },
    { viewport },
  );
}
