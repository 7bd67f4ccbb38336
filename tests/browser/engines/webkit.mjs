// WebKitGTK, the engine of Safari, in a window on a screen of its own.

import { join } from "node:path";
import { eventually, freePort, installed, Run } from "./programs.mjs";
import { CAPABILITIES, overHttp, WebDriver } from "./webdriver.mjs";

export async function webkit() {
  const run = new Run();
  Object.assign(run.environment, {
    // Neither root nor a container may set the sandbox up.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    LIBGL_ALWAYS_SOFTWARE: "1",
    GDK_BACKEND: "x11",
    // Without a bus there is nothing to start and to end.
    NO_AT_BRIDGE: "1",
    DBUS_SESSION_BUS_ADDRESS: "disabled:",
  });
  const xvfb = run.start(installed("Xvfb"), ["-displayfd", "3", "-nolisten", "tcp", "-screen", "0", "1400x1000x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  run.environment.DISPLAY = await new Promise((resolve, reject) => {
    xvfb.stdio[3].once("data", (number) => resolve(`:${String(number).trim()}`));
    xvfb.once("exit", () => reject(new Error("Xvfb has ended")));
  });
  const port = await freePort();
  run.start(installed("WebKitWebDriver"), [`--port=${port}`]);
  const driver = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(`${driver}/status`));
  const window = { binary: "/usr/bin/python3", args: [join(import.meta.dirname, "window.py")] };
  const send = await overHttp(driver, { ...CAPABILITIES, "webkitgtk:browserOptions": window });
  return new WebDriver(send, () => run.end());
}
