import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";

const NAME = "bookmark:code";

/** Text in the code for the shop's address, which only the running shop knows. */
const SHOP = "SHOP_ADDRESS";

/** Resolves `import code from "bookmark:code"` to the script of the capture bookmark. */
export function bookmark(): Plugin {
  return {
    name: "bookmark",
    enforce: "pre",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      return id === `\0${NAME}` ? `export default ${JSON.stringify(await script())}` : undefined;
    },
  };
}

async function script(): Promise<string> {
  const made = await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    define: { SHOP: JSON.stringify(SHOP) },
    build: {
      write: false,
      target: "es2022",
      lib: {
        entry: fileURLToPath(new URL("../bookmark/bookmark.ts", import.meta.url)),
        formats: ["iife"],
        name: "bookmark",
      },
    },
  });
  return (made as Rolldown.RolldownOutput[]).map(({ output }) => output[0].code.trim()).join("");
}
