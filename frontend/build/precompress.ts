import { promises as fs } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(css|html|js|json|svg|txt|webmanifest|xml)$/;

/** Writes a `.br` and a `.gz` twin of every file that gets smaller by it. */
export function precompress(): Plugin {
  let folder = "";
  return {
    name: "precompress",
    apply: "build",
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    // After everything else, so that the files of public/ are there too.
    async closeBundle() {
      const names = await fs.readdir(folder, { recursive: true });
      await Promise.all(
        names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(path.join(folder, name))),
      );
    },
  };
}

async function compress(file: string): Promise<void> {
  const plain = await fs.readFile(file);
  const brotli = await promisify(brotliCompress)(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
  const gzipped = await promisify(gzip)(plain, { level: 9 });
  for (const [ending, bytes] of [
    ["br", brotli],
    ["gz", gzipped],
  ] as const) {
    if (bytes.length < plain.length) {
      await fs.writeFile(`${file}.${ending}`, bytes);
    }
  }
}
