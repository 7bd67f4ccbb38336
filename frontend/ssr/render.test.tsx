// @vitest-environment node

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
import { PAGES } from "../src/test/visitors-pages";

const CONFIG = { configFile: "ssr/vite.config.ts", logLevel: "silent", build: { write: false } } as const;

/** Has nothing but the language, and not all of that: as QuickJS. */
const bare = createContext() as { render: typeof globalThis.render };

beforeAll(async () => {
  const output = await build(CONFIG);
  const [file] = "output" in output ? output.output : [];
  runInContext("for (const name of ['Intl', 'console', 'WebAssembly']) delete globalThis[name]", bare);
  runInContext(file?.type === "chunk" ? file.code : "", bare);
});

function render(address: string, data: string): string {
  return bare.render(address, data);
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

function expectAsReact(address: string, data: string): void {
  expect(tree(render(address, data)), address).toEqual(tree(byReact(address, data)));
}

describe("the server's bundle", () => {
  it.each(PAGES)("writes $address as React does", ({ address, data }) => expectAsReact(address, data));

  it("writes no elements of the head", () => {
    for (const { address, data } of PAGES) {
      expect(render(address, data)).not.toMatch(/<(title|meta|link|script)\b/);
    }
  });

  it("writes no picture without an address, as React does", () => {
    const [{ address, data }] = PAGES as [(typeof PAGES)[number]];
    expect(render(address, data.replace(/"image":"[^"]*"/g, '"image":""'))).not.toContain('src=""');
  });

  it("writes a page again after one that threw", () => {
    const [{ address, data }] = PAGES as [(typeof PAGES)[number]];
    const before = render(address, data);
    expect(() => render(address, data.replace(/"price":\d+/, '"price":{}'))).toThrow();
    expect(render(address, data)).toBe(before);
  });

  it.each(["/saved", "/login", "/search", "/admin", "/nowhere", "/details/a/b", "/pages/", ""])(
    "throws for the address %s, which is not a visitors' page",
    (address) => {
      expect(() => render(address, "{}")).toThrow();
    },
  );

  it.each(["Date.now()", "new Date()", "Date()", "Math.random()"])("knows no %s", (code) => {
    expect(() => runInContext(code, bare)).toThrow("depend on their address and data alone");
  });

  it("throws for a page whose data lack an answer", () => {
    expect(() => render("/", "{}")).toThrow("the page's data has no answer of /product/facets");
  });
});

describe("the build of the server's bundle", () => {
  it.each([
    'import { useReducer } from "react"; globalThis.a = useReducer;',
    'import * as React from "react"; globalThis.a = React.useReducer;',
    'import { useMatch } from "react-router-dom"; globalThis.a = useMatch;',
    'import useInfinite from "swr/infinite"; globalThis.a = useInfinite;',
  ])("fails for what a stand-in does not have: %s", async (code) => {
    const plugins = [
      {
        name: "entry",
        enforce: "pre" as const,
        transform: (_code: string, id: string) => (id.endsWith("ssr/entry.tsx") ? code : undefined),
      },
    ];
    await expect(build({ ...CONFIG, plugins })).rejects.toThrow();
  });
});
