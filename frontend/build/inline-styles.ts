import type { Plugin } from "vite";

/**
 * Puts the styles into the page itself: the first paint then waits for one answer
 * instead of two. The server allows them by their hash.
 */
export function inlineStyles(): Plugin {
  return {
    name: "inline-styles",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, context) {
        let page = html;
        for (const [name, file] of Object.entries(context.bundle ?? {})) {
          if (file.type === "asset" && name.endsWith(".css")) {
            const link = new RegExp(`<link rel="stylesheet"[^>]*href="/${name}"[^>]*>`);
            // A function, because a replacement text would be searched for "$".
            page = page.replace(link, () => `<style>${String(file.source).trim()}</style>`);
            delete context.bundle?.[name];
          }
        }
        return page;
      },
    },
  };
}
