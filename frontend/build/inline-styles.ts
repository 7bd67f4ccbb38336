import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { Plugin } from "vite";

/** The styles of parts, each named after the class of the part that it styles. */
const PARTS = new URL("../src/styles/parts/", import.meta.url);
/** Styles of screens that show nothing without scripts. */
const OFFICE = "office.css";

/** Where the server writes what a page says of itself. */
const HEAD = "<!--head-->";

/**
 * Puts the styles of the first paint into the page itself, which then waits for one answer
 * instead of two: those of the first script, and after `<!--parts-->` those of each part, of which
 * the server leaves the ones that a page has. It allows them by their hashes. They stand before the
 * first thing that differs from page to page, so that the server compresses them once. The app's own
 * styles stay a file that comes with its script, or by a link where there are none.
 */
export function inlineStyles(): Plugin {
  const files = readdirSync(PARTS);
  return {
    name: "inline-styles",
    apply: "build",
    config: () => ({
      build: {
        rolldownOptions: {
          input: ["index.html", ...files.map((file) => `src/styles/parts/${file}`)],
        },
      },
    }),
    transformIndexHtml: {
      order: "post",
      handler(html, context) {
        let page = html.replaceAll(/\n\s*/g, "\n");
        let first = "";
        let parts = "";
        let later = "";
        for (const [name, file] of Object.entries(context.bundle ?? {})) {
          if (file.type !== "asset" || !name.endsWith(".css")) {
            continue;
          }
          const styles = String(file.source)
            .replace(/^\/\*!.*?\*\//s, "")
            // They stand for light-dark(), which no style uses, where a browser lacks it.
            .replaceAll(/--lightningcss-(light|dark): ?(initial)?;?/g, "")
            .replaceAll(/@media[^{}]*\{:root\{\}/g, (empty) => empty.replace(":root{}", ""))
            .trim();
          const link = new RegExp(`<link rel="stylesheet"[^>]*href="/${name}"[^>]*>`);
          const part = files.find((each) => file.names.includes(each));
          if (part !== undefined) {
            parts += `<style data-part="${basename(part, ".css")}">${styles}</style>`;
          } else if (link.test(page)) {
            page = page.replace(link, "");
            first += `<style>${styles}</style>`;
          } else {
            if (!file.names.includes(OFFICE)) {
              later += `<noscript><link rel="stylesheet" href="/${name}"></noscript>`;
            }
            continue;
          }
          delete context.bundle?.[name];
        }
        // A function, because a replacement text would be searched for "$".
        return page.replace(HEAD, () => `${first}<!--parts-->${parts}<!--/parts-->${later}${HEAD}`);
      },
    },
  };
}
