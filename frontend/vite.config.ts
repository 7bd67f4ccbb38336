/// <reference types="vitest/config" />
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { agents } from "./build/agents.ts";
import { headScript } from "./build/head-script.ts";
import { icons } from "./build/icons.ts";
import { inlineStyles } from "./build/inline-styles.ts";
import { minifyAgain } from "./build/minify-again.ts";
import { precompress } from "./build/precompress.ts";
import { serviceWorker } from "./build/service-worker.ts";

/** The modules of every screen, the list's and the details' own apart. */
const SHARED = new RegExp(
  [
    "node_modules/(react|react-dom|react-router|react-router-dom|scheduler|swr|use-sync-external-store)/",
    "icon:x$",
    "src/product/(pager|product-card|product-picture|price-line|seller|buy-link|save-button|for-admins)",
    "src/(lib|session)/(?!beforehand|click-call|final-price|handles|just-typed|office-paths|resend-button|share|time|device/recent-searches)",
    "src/api/(client|prefetch|products|rows|served|table|use-served|users)\\.ts",
    "src/ui/(button|class-names|icon|link|marked|notice|picture|form/(hidden-fields|select|use-typed-before)|toast/toast(-message)?)\\.tsx?",
  ].join("|"),
);

/** React Router names its build with warnings for developers to every bundler. */
const ROUTER = new URL("node_modules/react-router/dist/production/index.mjs", import.meta.url).pathname;

/** The files that are there once the app is. */
const THERE = /\/(app|load|main|rolldown-runtime)-/;

export default defineConfig({
  plugins: [
    icons(),
    agents(),
    react(),
    tailwindcss(),
    headScript(),
    minifyAgain(),
    inlineStyles(),
    serviceWorker(),
    precompress(),
  ],
  resolve: { alias: [{ find: /^react-router$/, replacement: ROUTER }] },
  build: {
    target: "es2022",
    // Everything is a file of its own: data: addresses are not allowed by the
    // content security policy.
    assetsInlineLimit: 0,
    // Every browser that runs es2022 preloads modules by itself.
    modulePreload: {
      polyfill: false,
      // Only the first script runs before these are there; the others are shorter without them.
      resolveDependencies: (_file, needed, { hostId }) =>
        needed.filter((file) => hostId.includes("/index-") || !THERE.test(file)),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every screen needs is one file: each further one costs a connection.
          groups: [
            // The first script needs this much to fetch the others, and no more.
            { name: "load", test: /preload-helper|rolldown.runtime|lib\/click-call/, priority: 2 },
            { name: "app", test: SHARED, priority: 1 },
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
