import { promises as fs } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
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

/**
 * How Brotli may write distances (RFC 7932, section 4): NPOSTFIX, NDIRECT and the logarithm of a block's
 * length. Which one fits changes with each build; the best of them saves 400 bytes of the 95 kB
 * that come before anybody touches the list.
 */
const DISTANCES = [
  [0, 8, 17],
  [1, 24, 19],
  [2, 32, 18],
  [3, 64, 18],
] as const;

function brotliWith(plain: Buffer, [postfix, direct, block]: (typeof DISTANCES)[number]): Promise<Buffer> {
  return promisify(brotliCompress)(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
      [constants.BROTLI_PARAM_NDIRECT]: direct,
      [constants.BROTLI_PARAM_LGBLOCK]: block,
    },
  });
}

async function compress(file: string): Promise<void> {
  const plain = await fs.readFile(file);
  const tries = await Promise.all(DISTANCES.map((distances) => brotliWith(plain, distances)));
  const brotli = tries.reduce((best, other) => (other.length < best.length ? other : best));
  if (brotli.length >= plain.length) {
    return;
  }
  await fs.writeFile(`${file}.br`, brotli);
  await fs.rm(file);
}
