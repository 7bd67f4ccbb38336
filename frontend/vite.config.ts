/// <reference types="vitest/config" />
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./build/precompress.ts";
import { themeScript } from "./build/theme-script.ts";

export default defineConfig({
  plugins: [react(), tailwindcss(), themeScript(), precompress()],
  build: {
    target: "es2022",
    // Everything is a file of its own: data: addresses are not allowed by the
    // content security policy.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: {
      "/product": "http://127.0.0.1:8080",
      "/user": "http://127.0.0.1:8080",
      "/demo": "http://127.0.0.1:8080",
    },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test/setup.ts"],
    restoreMocks: true,
    testTimeout: 30_000,
  },
});
