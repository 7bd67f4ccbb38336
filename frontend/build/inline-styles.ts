import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { Plugin } from "vite";

/** Styles of parts, each file named after the class of its part. */
const PARTS = new URL("../src/styles/parts/", import.meta.url);
/** Styles of screens that need scripts. */
const OFFICE = "office.css";

/** Placeholder for the server's head elements. */
const HEAD = "<!--head-->";

/**
 * Inlines the styles of the first paint, which saves a request: those of the first script, and
 * after `<!--parts-->` those of each part, of which the server keeps those that a page needs. It
 * allows them by their hashes. The app's own styles stay a file that its script loads, or a link
 * without scripts.
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
            // Fallbacks for light-dark(), which no style uses.
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
        // A function, because "$" is special in a replacement string.
        return page.replace(HEAD, () => `${first}<!--parts-->${parts}<!--/parts-->${later}${HEAD}`);
      },
    },
  };
}
