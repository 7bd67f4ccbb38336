/// <reference types="vitest/config" />
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { agents } from "./build/agents.ts";
import { bookmark } from "./build/bookmark.ts";
import { headScript } from "./build/head-script.ts";
import { icons } from "./build/icons.ts";
import { inlineStyles } from "./build/inline-styles.ts";
import { knownShops } from "./build/known-shops.ts";
import { precompress } from "./build/precompress.ts";
import { serviceWorker } from "./build/service-worker.ts";
import { unnamedParts } from "./build/unnamed-parts.ts";

const REACT = /node_modules\/(react|react-dom|react-router|react-router-dom|scheduler|swr)\//;

/** Files of every page of the app. */
const LOADED = /\/(rolldown-runtime|react|shared|main)-/;

interface Graph {
  getModuleInfo: (id: string) => { importers: string[] } | null;
}

/** Returns true for the app's entry and every module that it imports, or one of these. */
function beginsApp(id: string, graph: Graph, seen = new Set([id])): boolean {
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return (
    id.endsWith("/src/main.tsx") ||
    importers.some((from) => !seen.has(from) && beginsApp(from, graph, seen.add(from)))
  );
}

const inModules = (path: string) => fileURLToPath(new URL(`./node_modules/${path}`, import.meta.url));

export default defineConfig({
  plugins: [
    icons(),
    bookmark(),
    knownShops(),
    agents(),
    react(),
    unnamedParts(),
    tailwindcss(),
    headScript(),
    inlineStyles(),
    serviceWorker(),
    precompress(),
  ],
  resolve: {
    alias: [
      // React has had this function since version 18; SWR brings a copy for older ones.
      { find: "use-sync-external-store/shim", replacement: "react" },
      // The package exports its development build only, with warnings for programmers.
      { find: /^react-router$/, replacement: inModules("react-router/dist/production/index.mjs") },
      { find: "react-router/dom", replacement: inModules("react-router/dist/production/dom-export.mjs") },
    ],
  },
  build: {
    target: "es2022",
    // Everything is a file of its own: data: addresses are not allowed by the
    // content security policy.
    assetsInlineLimit: 0,
    // Every browser that runs es2022 preloads modules by itself.
    modulePreload: {
      polyfill: false,
      // Later scripts do not repeat the list of files that the first one loads.
      resolveDependencies: (_, files, { hostId, hostType }) =>
        hostType === "html" || hostId.includes("/index-")
          ? files
          : files.filter((file) => !LOADED.test(file)),
    },
    rolldownOptions: {
      // A constant of a JSON file stands where it is used: none is loaded before its screen.
      optimization: { inlineConst: true },
      output: {
        codeSplitting: {
          groups: [
            // Modules that the first script and the app share: a screen that imported the first script would
            // ask for its styles, which are in the page. Icons of the list, which would be a file each.
            { name: "shared", test: /preload-helper|lib\/click-call|icon:(chevron-(down|left|right)|x)$/ },
            // One file in place of six, which stays the same when the app changes.
            { name: "react", test: REACT },
            // One file for all that the app begins with: names exchanged between two would weigh 1 kB.
            { name: (id, graph) => (beginsApp(id, graph) ? "main" : null) },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "/product": "http://127.0.0.1:8080",
      "/user": "http://127.0.0.1:8080",
      "/report": "http://127.0.0.1:8080",
      "/settings": "http://127.0.0.1:8080",
      "/source": "http://127.0.0.1:8080",
      "/mark": "http://127.0.0.1:8080",
      "/demo": "http://127.0.0.1:8080",
    },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test/setup.ts"],
    restoreMocks: true,
    // Each file clears up after itself (setup.ts); an environment for each takes half the time.
    isolate: false,
    testTimeout: 300_000,
  },
});
