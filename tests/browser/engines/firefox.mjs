// Firefox as it is installed, without a display. It has WebDriver's commands built in.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connected, eventually, installed, Run } from "./programs.mjs";
import { CAPABILITIES, overMarionette, WebDriver } from "./webdriver.mjs";

const PREFERENCES = {
  "marionette.port": 0,
  // Nothing outside this machine is asked for: there is no such proxy, and this machine needs none.
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.legacyUserProfileCustomizations.stylesheets": true,
};

export async function firefox() {
  const program = installed("firefox-esr", "firefox");
  const run = new Run();
  const profile = join(run.folder, "profile");
  // A window of Firefox is never narrower than 450 px by itself.
  await mkdir(join(profile, "chrome"), { recursive: true });
  await writeFile(join(profile, "chrome/userChrome.css"), ":root { min-width: 0 !important; }");
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, "user.js"), lines.join("\n"));
  run.start(program, ["--headless", "--marionette", "--no-remote", "--profile", profile]);
  const socket = await eventually(async () =>
    connected(Number(await readFile(join(profile, "MarionetteActivePort"), "utf8"))),
  );
  const send = await overMarionette(socket, CAPABILITIES);
  return new WebDriver(send, () => {
    socket.destroy();
    run.end();
  });
}
