// A browser driven by the commands of the W3C's WebDriver, over HTTP or Firefox's own socket.

import { setTimeout as pause } from "node:timers/promises";

/** Key of a reference to an element, by the standard. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Maximum milliseconds that a page may take to load, or a script to answer. */
const LIMIT = 60_000;

/** Capabilities that every session asks for. */
export const CAPABILITIES = {
  timeouts: { script: LIMIT, pageLoad: LIMIT },
  unhandledPromptBehavior: "ignore",
};

/** Keys by name, as WebDriver writes them. */
const KEYS = { Enter: "\ue007", Tab: "\ue004", Escape: "\ue00c" };

/** What a browser of WebDriver does; `send` sends a command and gives its value. */
export class WebDriver {
  #send;
  #stop;

  constructor(send, stop) {
    this.#send = send;
    this.#stop = stop;
  }

  async open(address) {
    await this.#send("Navigate", { url: address });
  }

  async back() {
    await this.#send("Back", {});
  }

  /** Calls a function in the page and gives what it returns; elements are given by reference. */
  evaluate(called, ...given) {
    const script = `const given = [...arguments];
      const done = given.pop();
      Promise.resolve().then(() => (${called})(...given)).then(
        (value) => done({ value }), (error) => done({ error: String(error) }));`;
    return this.#send("ExecuteAsyncScript", { script, args: given }).then(({ value, error }) => {
      if (error) throw new Error(error);
      return value;
    });
  }

  /** Gives a reference to the element that a function of the page returns, or undefined. */
  async element(called, ...given) {
    return (await this.evaluate(called, ...given))?.[ELEMENT];
  }

  async click(element) {
    // By itself it scrolls an element to the edge only, below bars that stay there.
    await this.evaluate((it) => it.scrollIntoView({ block: "center", behavior: "instant" }), { [ELEMENT]: element });
    await this.#send("ElementClick", { id: element });
  }

  async type(element, text) {
    await this.#send("ElementSendKeys", { id: element, text });
  }

  async upload(element, file) {
    await this.type(element, file);
  }

  async choose(select, value) {
    const find = (select, value) => {
      // An option has no place of its own in WebKit.
      select.scrollIntoView({ block: "center", behavior: "instant" });
      return [...select.options].find((option) => option.value === value);
    };
    await this.click(await this.element(find, { [ELEMENT]: select }, value));
  }

  async press(key) {
    const value = KEYS[key];
    const actions = ["keyDown", "keyUp"].map((type) => ({ type, value }));
    await this.#send("PerformActions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  /** Makes the page this wide and high. */
  async resize(width, height) {
    await this.#send("SetWindowRect", { width, height });
    const [inner, tall] = await this.evaluate(() => [window.innerWidth, window.innerHeight]);
    await this.#send("SetWindowRect", { width: 2 * width - inner, height: 2 * height - tall });
  }

  /** Waits until a window has been opened since, looks into it, closes it and comes back. */
  async inNewWindow(opened, look) {
    const before = await this.#send("GetWindowHandles", {});
    const [here] = before;
    await opened();
    for (const end = Date.now() + LIMIT; ; await pause(50)) {
      const other = (await this.#send("GetWindowHandles", {})).find((handle) => !before.includes(handle));
      if (other) {
        await this.#send("SwitchToWindow", { handle: other });
        break;
      }
      if (Date.now() > end) throw new Error("no window was opened");
    }
    try {
      await look();
    } finally {
      await this.#send("CloseWindow", {});
      await this.#send("SwitchToWindow", { handle: here });
    }
  }

  async forgetCookies() {
    await this.#send("DeleteAllCookies", {});
  }

  async quit() {
    await this.#stop();
  }
}

/** Methods and paths of the commands over HTTP. */
const PATHS = {
  Navigate: ["POST", "/url"],
  Back: ["POST", "/back"],
  ExecuteAsyncScript: ["POST", "/execute/async"],
  ElementClick: ["POST", "/element/:id/click"],
  ElementSendKeys: ["POST", "/element/:id/value"],
  PerformActions: ["POST", "/actions"],
  SetWindowRect: ["POST", "/window/rect"],
  GetWindowHandles: ["GET", "/window/handles"],
  SwitchToWindow: ["POST", "/window"],
  CloseWindow: ["DELETE", "/window"],
  DeleteAllCookies: ["DELETE", "/cookie"],
};

/** Opens a session of the driver at this address, and gives a function that sends it commands. */
export async function overHttp(driver, capabilities) {
  const send = async (method, path, body) => {
    const request = { method, headers: { "content-type": "application/json" } };
    if (method === "POST") request.body = JSON.stringify(body);
    const { value } = await (await fetch(`${driver}${path}`, request)).json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const { sessionId } = await send("POST", "/session", { capabilities: { alwaysMatch: capabilities } });
  return (name, parameters) => {
    const [method, path] = PATHS[name];
    return send(method, `/session/${sessionId}${path.replace(":id", parameters.id)}`, parameters);
  };
}

/**
 * Opens a session of Firefox over its own socket, and gives a function that sends it commands.
 * Each message is its length in bytes, a colon, and JSON.
 */
export async function overMarionette(socket, capabilities) {
  const waiting = new Map();
  let received = Buffer.alloc(0);
  let greet;
  const greeted = new Promise((resolve) => {
    greet = resolve;
  });
  const take = (message) => {
    if (!Array.isArray(message)) return greet();
    const [, id, error, result] = message;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(`${error.error}: ${error.message}`));
    else resolve(result);
  };
  socket.on("data", (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      const colon = received.indexOf(":");
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (colon === -1 || received.length < end) return;
      const message = JSON.parse(received.subarray(colon + 1, end));
      received = received.subarray(end);
      take(message);
    }
  });
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Firefox has ended"));
  });
  let id = 0;
  const send = async (name, parameters) => {
    id += 1;
    const message = Buffer.from(JSON.stringify([0, id, `WebDriver:${name}`, parameters]));
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    socket.write(`${message.length}:`);
    socket.write(message);
    const result = await answer;
    return Array.isArray(result) ? result : result?.value;
  };
  await greeted;
  await send("NewSession", { capabilities: { alwaysMatch: capabilities } });
  return send;
}
