import { promises as fs } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(css|html|js|json|svg|txt|webmanifest|xml)$/;

/** Template that the server fills, which is therefore not compressed. */
const PAGE = "index.html";

/**
 * Replaces every file that Brotli makes smaller by a `.br` file. The server decompresses it for
 * clients without Brotli, which keeps the program small.
 */
export function precompress(): Plugin {
  let folder = "";
  let written = false;
  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    writeBundle() {
      written = true;
    },
    // After everything else, so that the files of public/ are copied.
    async closeBundle() {
      if (!written) {
        // The build has failed, and reports why.
        return;
      }
      const names = await fs.readdir(folder, { recursive: true });
      const files = names.filter((name) => COMPRESSIBLE.test(name) && name !== PAGE);
      await Promise.all(files.map((name) => compress(path.join(folder, name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const plain = await fs.readFile(file);
  const brotli = await promisify(brotliCompress)(plain);
  if (brotli.length >= plain.length) {
    return;
  }
  await fs.writeFile(`${file}.br`, brotli);
  await fs.rm(file);
}
