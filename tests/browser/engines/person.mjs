// A person at a browser: the engine named by ENGINE, driven by the same steps in each.

import { after, before, test } from "node:test";
import { isTakenOver, SHOP } from "../browser.mjs";
import { find, sendable } from "./find.mjs";
import { middleman } from "./middleman.mjs";
import { eventually } from "./programs.mjs";

const { ENGINE = "chromium" } = process.env;

/** Milliseconds after which a story is given up. */
const LIMIT = 120_000;

/** What people do in a page. What they act on is given as `find` takes it. */
class Person {
  constructor(driver, line) {
    this.driver = driver;
    /** The server between browser and shop. */
    this.line = line;
  }

  async open(path) {
    await this.driver.open(`${this.line.address}${path}`);
    await this.until(isTakenOver);
  }

  /** Waits until a function of the page gives something, also over a change of pages; gives that. */
  until(called, ...given) {
    return eventually(async () => {
      const answer = await this.driver.evaluate(called, ...given);
      if (!answer) throw new Error(`never: ${called} ${JSON.stringify(given)}`);
      return answer;
    });
  }

  /** Acts on something as soon as it is there and lets itself be acted upon. */
  #act(meant, act) {
    return eventually(async () => {
      const element = await this.driver.element(find, sendable(meant));
      if (element === undefined) throw new Error(`there is no ${JSON.stringify(sendable(meant))}`);
      return act(element);
    });
  }

  sees(meant) {
    return this.#act(meant, () => {});
  }

  lacks(meant) {
    return eventually(async () => {
      const element = await this.driver.element(find, sendable(meant));
      if (element !== undefined) throw new Error(`there still is ${JSON.stringify(sendable(meant))}`);
    });
  }

  click(meant) {
    return this.#act(meant, (element) => this.driver.click(element));
  }

  /** Types a text in place of what is in a field. */
  async fill(meant, text) {
    await this.#act(meant, async (element) => {
      await this.driver.click(element);
      await this.driver.evaluate(() => document.activeElement.select());
      await this.driver.type(element, text);
    });
  }

  choose(meant, value) {
    return this.#act(meant, (element) => this.driver.choose(element, value));
  }

  upload(meant, file) {
    return this.#act({ ...meant, hidden: true }, (element) => this.driver.upload(element, file));
  }

  async isAt(wanted) {
    await this.until((wanted) => window.location.pathname + window.location.search === wanted, wanted);
  }

  /** Signs in by the form. */
  async signIn(email, password) {
    await this.open("/login");
    await this.fill({ label: "Email" }, email);
    await this.fill({ label: "Password" }, password);
    await this.click({ role: "button", name: "Login" });
    await this.until(() => localStorage.getItem("token") !== null);
    await this.sees({ role: "button", name: /^Logout/ });
  }

  /** Becomes somebody who was never here. */
  async begin(address) {
    this.line.from = address;
    await this.driver.open(`${this.line.address}/robots.txt`);
    await this.driver.forgetCookies();
    await this.driver.evaluate(async () => {
      localStorage.clear();
      sessionStorage.clear();
      const workers = await navigator.serviceWorker.getRegistrations();
      const names = await caches.keys();
      await Promise.all([...workers.map((it) => it.unregister()), ...names.map((name) => caches.delete(name))]);
    });
    await this.driver.resize(1280, 900);
  }
}

/** Starts the engine for a file of stories, and gives the function that declares them. */
export function stories() {
  let person;
  let count = 0;
  before(async () => {
    const { [ENGINE]: start } = await import(`./${ENGINE}.mjs`);
    person = new Person(await start(), await middleman(SHOP));
  });
  after(async () => {
    await person?.driver.quit();
    await person?.line.disconnect();
  });
  return (name, steps) =>
    test(name, { timeout: LIMIT }, async () => {
      count += 1;
      await person.begin(`10.1.0.${count}`);
      await steps(person, person.driver);
    });
}
