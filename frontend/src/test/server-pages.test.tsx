// @vitest-environment node

import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom";
import { describe, expect, it } from "vitest";
import { readPageData } from "../api/page-data";
import { App } from "../app/app";
import { loadScreens } from "../app/mail-screens";
import { outline } from "./outline";

interface Page {
  address: string;
  html: string;
}

// Written by tests/it/pages/server_rendering.rs, which runs this file with pages of a real shop.
const pages = process.env.SERVER_PAGES;

describe.runIf(pages)("every page that the server writes", () => {
  it("is what the app makes of the same data", async () => {
    const written = JSON.parse(readFileSync(pages ?? "", "utf8")) as Page[];
    expect(written.length).toBeGreaterThan(0);
    await loadScreens();
    const differences: string[] = [];
    for (const { address, html } of written) {
      const served = new JSDOM(html).window.document;
      const rendered = renderToString(
        <StrictMode>
          <StaticRouter location={address}>
            <App pageData={readPageData(served)} />
          </StaticRouter>
        </StrictMode>,
      );
      const made = new JSDOM(`<div id="root">${rendered}</div>`).window.document;
      const [theirs, ours] = [served, made].map((page) => outline(page.getElementById("root")));
      const at = ours?.findIndex((line, index) => line !== theirs?.[index]) ?? -1;
      if (at >= 0 || ours?.length !== theirs?.length) {
        differences.push(`${address}\n  server: ${theirs?.[at]?.trim()}\n  app:    ${ours?.[at]?.trim()}`);
      }
    }
    expect(differences).toEqual([]);
  }, 300_000);
});
