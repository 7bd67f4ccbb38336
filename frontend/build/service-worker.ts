import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";

const SOURCES = new URL("../worker/", import.meta.url);

/** Chunks that visitors don't need: accounts, the office and product forms. */
const NOT_FOR_VISITORS = [
  "/src/app/account-screens.ts",
  "/src/app/office/office.tsx",
  "/src/app/require-session.tsx",
  "/src/features/login/sign-in-again.tsx",
  "/src/product/admin-actions.tsx",
];

/**
 * Writes `sw.js` with the build's id and the files of the visitors' screens, and `sw-off.js`,
 * which replaces it if the owner disables it.
 */
export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    // After the inlined styles have been removed.
    enforce: "post",
    async generateBundle(_options, bundle) {
      const files = visitorFiles(bundle);
      const source = readFileSync(new URL("sw.ts", SOURCES));
      const id = createHash("sha256").update(files.join()).update(source).digest("hex").slice(0, 12);
      const defined = { BUILD: JSON.stringify(id), FILES: JSON.stringify(files) };
      this.emitFile({ type: "asset", fileName: "sw.js", source: await script("sw.ts", defined) });
      this.emitFile({ type: "asset", fileName: "sw-off.js", source: await script("off.ts", {}) });
    },
  };
}

/** Bundles a worker into one script. */
async function script(file: string, define: Record<string, string>): Promise<string> {
  const made = await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    define,
    build: {
      write: false,
      target: "es2022",
      lib: { entry: fileURLToPath(new URL(file, SOURCES)), formats: ["iife"], name: "worker" },
    },
  });
  return (made as Rolldown.RolldownOutput[]).map(({ output }) => output[0].code).join("");
}

/** Returns the paths of all scripts, styles and fonts that a visitor may need. */
function visitorFiles(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const begins = (chunk: Rolldown.OutputChunk, source: string) => chunk.facadeModuleId?.endsWith(source);
  const missing = NOT_FOR_VISITORS.filter((source) => !chunks.some((chunk) => begins(chunk, source)));
  if (missing.length > 0) {
    throw new Error(`No script begins with ${missing}: name what visitors need none of anew.`);
  }
  const files = new Set(
    Object.values(bundle)
      .filter(
        (file) =>
          file.type === "asset" && (file.names.includes("head.js") || file.fileName.endsWith(".woff2")),
      )
      .map((file) => file.fileName),
  );
  const waiting = chunks.filter((chunk) => chunk.isEntry && chunk.facadeModuleId?.endsWith(".html"));
  for (const chunk of waiting) {
    const next = [...chunk.imports, ...chunk.dynamicImports];
    waiting.push(
      ...chunks.filter(
        (other) =>
          next.includes(other.fileName) &&
          !waiting.includes(other) &&
          !NOT_FOR_VISITORS.some((source) => begins(other, source)),
      ),
    );
    for (const file of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) {
      if (bundle[file]) {
        files.add(file);
      }
    }
  }
  return [...files].map((file) => `/${file}`).sort();
}
