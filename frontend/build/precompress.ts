import { promises as fs } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(css|html|js|json|svg|txt|webmanifest|xml)$/;

/** It is filled before it is served. */
const PAGE = "index.html";

/**
 * Puts a `.br` twin in the place of every file that gets smaller by it. Clients that don't take
 * it get what the server makes of the twin, and the program is smaller by the files.
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
    // After everything else, so that the files of public/ are there too.
    async closeBundle() {
      if (!written) {
        // The build has failed, and says why.
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
