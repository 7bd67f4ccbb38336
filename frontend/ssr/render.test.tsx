// @vitest-environment node

import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { JSDOM } from "jsdom";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { StaticRouter } from "react-router-dom";
import { build } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import { readPageData } from "../src/api/page-data";
import { App } from "../src/app/app";
import { outline } from "../src/test/outline";

type Render = typeof globalThis.render;

/** Evaluates the bundle where there is nothing but the language, and not all of that: as in QuickJS. */
async function bundled(): Promise<Render> {
  const output = await build({
    configFile: "ssr/vite.config.ts",
    logLevel: "warn",
    build: { write: false },
  });
  const [file] = "output" in output ? output.output : [];
  const bare = createContext();
  runInContext("for (const name of ['Intl', 'console', 'WebAssembly']) delete globalThis[name]", bare);
  runInContext(file?.type === "chunk" ? file.code : "", bare);
  return (bare as { render: Render }).render;
}

function byReact(address: string, data: string): string {
  const page = new JSDOM(`<script id="served" type="application/json">${data}</script>`).window.document;
  return renderToString(
    <StrictMode>
      <StaticRouter location={address}>
        <App pageData={readPageData(page)} />
      </StaticRouter>
    </StrictMode>,
  );
}

const { document } = new JSDOM().window;

function tree(html: string): string[] {
  document.body.innerHTML = html;
  return outline(document.body);
}

let render: Render;

beforeAll(async () => {
  render = await bundled();
});

interface Page {
  address: string;
  html: string;
}

// Written by tests/it/pages/server_rendering.rs, which runs this file with pages of a real shop.
const pages = process.env.SERVER_PAGES;

describe.runIf(pages)("the pages of a real shop", () => {
  it("are as React writes them", () => {
    const written = JSON.parse(readFileSync(pages ?? "", "utf8")) as Page[];
    expect(written.length).toBeGreaterThan(0);
    for (const { address, html } of written) {
      const data = new JSDOM(html).window.document.getElementById("served")?.textContent ?? "";
      expect(tree(render(address, data)), address).toEqual(tree(byReact(address, data)));
    }
  });
});
