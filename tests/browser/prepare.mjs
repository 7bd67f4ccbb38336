// Unpacks the Chromium that npm brought, with the libraries it needs, into the
// folder that is named, and prints where they are. Whoever calls this makes sure
// that it runs once at a time: half a browser looks like a whole one.

import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const [root] = process.argv.slice(2);
const manifest = new URL("./node_modules/@sparticuz/chromium/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, "utf8"));
const folder = join(root, `chromium-${version}`);
const finished = join(folder, "finished");

if (!existsSync(finished)) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}
process.env.TMPDIR = folder;
// Makes the package unpack the system libraries too, which a bare machine lacks.
process.env.AWS_LAMBDA_JS_RUNTIME = "nodejs20.x";
const { default: chromium } = await import("@sparticuz/chromium");
const executable = await chromium.executablePath();
await writeFile(finished, "");
process.stdout.write(`${executable}\n${join(folder, "al2023", "lib")}\n`);
