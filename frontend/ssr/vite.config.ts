import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { icons } from "../build/icons.ts";

/** First line of the bundle; build.rs refuses another one. */
const VERSION = "/* deals-server-bundle 1 */";

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Replaces modules that are loaded on demand, which no page of the server shows. */
function onDemand(): Plugin {
  const ABSENT = "\0on-demand";
  return {
    name: "on-demand",
    enforce: "pre",
    resolveId: (_id, _importer, { kind }) => (kind === "dynamic-import" ? ABSENT : undefined),
    load: (id) => (id === ABSENT ? "export {};" : undefined),
  };
}

/** The visitors' screens as one script without imports, which QuickJS evaluates: `server.js`. */
export default defineConfig({
  root: here(".."),
  publicDir: false,
  plugins: [onDemand(), icons()],
  // Also in a test, whose NODE_ENV is another.
  oxc: { jsx: { runtime: "automatic", development: false } },
  resolve: {
    alias: [
      { find: /^react(\/jsx-runtime)?$/, replacement: here("react.ts") },
      { find: "react-router-dom", replacement: here("router.tsx") },
      { find: "swr", replacement: here("swr.tsx") },
      { find: /^\.{1,2}(\/.*)?\/error-boundary$/, replacement: here("error-boundary.tsx") },
      { find: /^\.{1,2}(\/.*)?\/mail-screens$/, replacement: here("mail-screens.ts") },
    ],
  },
  ssr: { noExternal: true },
  build: {
    target: "es2022",
    // Not for a browser, which would be told to preload what is loaded on demand.
    ssr: here("entry.tsx"),
    minify: true,
    emptyOutDir: false,
    rolldownOptions: {
      output: { format: "iife", entryFileNames: "server.js", codeSplitting: false, postBanner: VERSION },
      // Like an import of what a stand-in does not have.
      onLog: (level, log) => {
        if (level === "warn") {
          throw new Error(log.message);
        }
      },
    },
  },
});
