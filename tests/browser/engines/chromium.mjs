// Chromium, as the other tests have it.

import { DESKTOP, launch } from "../browser.mjs";

/** Gives Playwright the same face as `WebDriver`. */
class Chromium {
  #browser;
  #page;

  constructor(browser, page) {
    this.#browser = browser;
    this.#page = page;
  }

  async open(address) {
    await this.#page.goto(address);
  }

  async back() {
    await this.#page.goBack();
  }

  evaluate(called, ...given) {
    return this.#page.evaluate(`(${called})(...${JSON.stringify(given)})`);
  }

  async element(called, ...given) {
    const found = await this.#page.evaluateHandle(`(${called})(...${JSON.stringify(given)})`);
    return found.asElement() ?? undefined;
  }

  async click(element) {
    await element.click({ timeout: 2_000 });
  }

  async type(element, text) {
    await element.type(text);
  }

  async upload(element, file) {
    await element.setInputFiles(file);
  }

  async choose(select, value) {
    await select.selectOption(value);
  }

  async press(key) {
    await this.#page.keyboard.press(key);
  }

  async resize(width, height) {
    await this.#page.setViewportSize({ width, height });
  }

  async inNewWindow(opened, look) {
    const here = this.#page;
    const [window] = await Promise.all([here.context().waitForEvent("page"), opened()]);
    this.#page = window;
    try {
      await look();
    } finally {
      await window.close();
      this.#page = here;
    }
  }

  async forgetCookies() {
    await this.#page.context().clearCookies();
  }

  async quit() {
    await this.#browser.close();
  }
}

export async function chromium() {
  // Nothing outside this machine is asked for: there is no such proxy, and this machine needs none.
  const browser = await launch(["--proxy-server=http://127.0.0.1:9"]);
  const context = await browser.newContext({ viewport: DESKTOP });
  return new Chromium(browser, await context.newPage());
}
