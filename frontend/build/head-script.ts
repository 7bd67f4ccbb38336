import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const SOURCE = new URL("./head.js", import.meta.url);

/**
 * Adds a blocking script to the head that applies the stored theme before the first paint. A
 * file with a hashed name, because the content security policy allows no inline script.
 */
export function headScript(): Plugin {
  let reference: string | undefined;
  return {
    name: "head-script",
    buildStart() {
      if (this.meta.watchMode) {
        return;
      }
      reference = this.emitFile({
        type: "asset",
        name: "head.js",
        source: readFileSync(SOURCE, "utf8"),
      });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, context) {
        if (!context.bundle || reference === undefined) {
          return [{ tag: "script", children: readFileSync(SOURCE, "utf8"), injectTo: "head-prepend" }];
        }
        const file = Object.values(context.bundle).find(
          (output) => output.type === "asset" && output.names.includes("head.js"),
        );
        return [{ tag: "script", attrs: { src: `/${file?.fileName}` }, injectTo: "head-prepend" }];
      },
    },
  };
}
