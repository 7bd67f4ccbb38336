// Prints Lighthouse's scores (mobile preset, throttling simulated) of the list, a
// filtered list and a product's page, with what each loads.
//
//   node run.mjs [--products FILE] [--runs N] [--binary FILE] [--slow]
//
// Starts the program on a database of its own: with the demo products, or with those
// of a file, whose pictures are then served from loopback by this script. CHROMIUM
// names the browser; without it, one is looked for. `--slow` throttles the browser itself, as a slow
// phone on a slow line: 400 ms a request, 50 kB/s, a quarter of the processor.

import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs, promisify } from "node:util";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const { values } = parseArgs({
  options: {
    products: { type: "string" },
    runs: { type: "string", default: "3" },
    slow: { type: "boolean", default: false },
    binary: { type: "string", default: new URL("../../target/release/deals", import.meta.url).pathname },
  },
});
const SLOW = {
  throttlingMethod: "devtools",
  throttling: {
    requestLatencyMs: 400,
    downloadThroughputKbps: 400,
    uploadThroughputKbps: 400,
    cpuSlowdownMultiplier: 4,
  },
};
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const folder = await mkdtemp(join(tmpdir(), "deals-lighthouse-"));
const pictures = values.products ? await servePictures() : undefined;
const shop = await startShop(folder, pictures);
const chrome = await launch({
  ...(process.env.CHROMIUM ? { chromePath: process.env.CHROMIUM } : {}),
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"],
});
try {
  const listed = await (await fetch(`${shop.url}/product/get-products`)).json();
  const pages = ["/", "/?category=Electronics&page=2", `/details/${listed.data[0]._id}`];
  console.log(["page", ...CATEGORIES, "FCP", "LCP", "TBT", "CLS", "script", "all"].join("\t"));
  for (const page of pages) {
    console.log([page.replace(/[0-9a-f]{32}/, ":id"), ...(await measure(shop.url + page))].join("\t"));
  }
} finally {
  chrome.kill();
  shop.process.kill();
  pictures?.close();
  await rm(folder, { recursive: true, force: true });
}

/** The medians of several runs. */
async function measure(url) {
  const runs = [];
  for (let run = 0; run < Number(values.runs); run += 1) {
    const flags = { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "error" };
    const { lhr } = await lighthouse(url, values.slow ? { ...flags, ...SLOW } : flags);
    runs.push(lhr);
    for (const audit of Object.values(lhr.audits)) {
      if (audit.score !== null && audit.score < 0.9 && process.env.WHY) {
        console.error(`${audit.id}: ${audit.score} ${audit.displayValue ?? ""} ${audit.title}`);
      }
    }
  }
  const median = (read) => runs.map(read).sort((a, b) => a - b)[Math.floor(runs.length / 2)];
  const bytes = (kind) =>
    median(({ audits }) => {
      const { items } = audits["resource-summary"].details;
      return items.find(({ resourceType }) => resourceType === kind).transferSize;
    });
  return [
    ...CATEGORIES.map((name) => Math.round(100 * median(({ categories }) => categories[name].score))),
    `${Math.round(median(({ audits }) => audits["first-contentful-paint"].numericValue))} ms`,
    `${Math.round(median(({ audits }) => audits["largest-contentful-paint"].numericValue))} ms`,
    `${Math.round(median(({ audits }) => audits["total-blocking-time"].numericValue))} ms`,
    median(({ audits }) => audits["cumulative-layout-shift"].numericValue).toFixed(3),
    `${(bytes("script") / 1000).toFixed(1)} kB`,
    `${(bytes("total") / 1000).toFixed(1)} kB`,
  ];
}

async function startShop(folder, pictures) {
  const db = join(folder, "deals.sqlite");
  const options = ["--db", db];
  if (values.products) {
    const products = JSON.parse(await readFile(values.products, "utf8"));
    const file = join(folder, "products.json");
    const port = pictures.address().port;
    const moved = products.map((product, index) => ({
      ...product,
      images: product.images.map((_, place) => `http://127.0.0.1:${port}/${index}-${place}.svg`),
    }));
    await writeFile(file, JSON.stringify(moved));
    await promisify(execFile)(values.binary, ["import", file, "--skip-invalid", "--db", db]);
  } else {
    options.push("--demo");
  }
  const child = spawn(values.binary, ["serve", "--listen", "127.0.0.1:0", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("listening on ")) {
      return { process: child, url: line.slice("listening on ".length) };
    }
  }
  throw new Error("the program did not start");
}

/** Pictures of 20 kB, in several shapes. */
function servePictures() {
  const shapes = [
    [300, 300],
    [240, 400],
    [500, 280],
  ];
  const server = createServer((request, response) => {
    const number = Number.parseInt(request.url.slice(1), 10);
    const [width, height] = shapes[number % shapes.length];
    const hue = (number * 47) % 360;
    const picture =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<rect width="100%" height="100%" rx="20" fill="hsl(${hue} 40% 60%)"/><!--${"x".repeat(20_000)}--></svg>`;
    response.writeHead(200, { "content-type": "image/svg+xml", "cache-control": "max-age=86400" });
    response.end(picture);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
