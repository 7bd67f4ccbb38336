// A server between the browser and the shop, which can lose the network or refuse files.

import { createServer, request } from "node:http";

/** Starts it; `shop` is the shop's address. */
export async function middleman(shop) {
  const own = { refuses: /$^/, from: "10.1.0.1" };
  const { hostname, port } = new URL(shop);
  const server = createServer((asked, answer) => {
    if (own.refuses.test(asked.url)) {
      answer.writeHead(403).end();
      return;
    }
    const headers = { ...asked.headers, "x-forwarded-for": own.from };
    const onward = request({ hostname, port, method: asked.method, path: asked.url, headers }, (given) => {
      answer.writeHead(given.statusCode, given.rawHeaders);
      given.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  const listen = (wanted) => new Promise((resolve) => server.listen(wanted, "127.0.0.1", resolve));
  await listen(0);
  const place = server.address().port;
  own.address = `http://127.0.0.1:${place}`;
  own.connect = () => listen(place);
  own.disconnect = () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    return closed;
  };
  return own;
}

/** Starts a seller's shop of one page and one picture on this machine, and gives its address. */
export async function seller() {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>';
  const server = createServer((asked, answer) => {
    const isPicture = asked.url.endsWith(".svg");
    answer.writeHead(200, { "content-type": isPicture ? "image/svg+xml" : "text/html" });
    answer.end(isPicture ? picture : "<title>The seller</title><h1>The seller</h1>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}
