// Programs that a browser is made of: started, waited for, and ended with all that they started.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Returns the path of a program, or undefined where it is not installed. */
export function installed(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** A folder for a run, and the programs started in it. They end with this process at the latest. */
export class Run {
  #children = [];
  folder = mkdtempSync(join(tmpdir(), "deals-engine-"));
  /** Variables of the programs: nothing of the person who runs the tests is read or changed. */
  environment = { PATH: process.env.PATH, LANG: "C.UTF-8", HOME: this.folder, XDG_RUNTIME_DIR: this.folder };

  constructor() {
    process.on("exit", () => this.end());
    // The runner of the tests ends a file that takes too long by a signal.
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, () => process.exit(1));
  }

  /** Starts a program as the head of a process group, with which it ends. */
  start(program, args, options = {}) {
    const child = spawn(program, args, { detached: true, stdio: "ignore", env: this.environment, ...options });
    child.on("error", () => {});
    this.#children.push(child);
    return child;
  }

  end() {
    for (const { pid } of this.#children.splice(0).reverse()) {
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Repeats what fails until it succeeds, for a minute at most. */
export async function eventually(attempt) {
  for (const end = Date.now() + 60_000; ; await pause(50)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

/** Returns a port of this machine that nobody listens on. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Connects to a port of this machine. */
export function connected(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });
}
