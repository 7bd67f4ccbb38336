import { afterEach, describe, expect, it, vi } from "vitest";
import { store, stored } from "./device/storage";
import { ownPicture } from "./links";
import { rupees, wholePercent } from "./rupees";
import { copyText, share } from "./share";
import { ago, daysAgo, moment, shortMoment, weekday } from "./time";
import { truncate } from "./truncate";

describe("rupees", () => {
  it("groups digits as India does and always has two decimals", () => {
    expect(rupees(123456)).toBe("₹1,23,456.00");
    expect(rupees(0.5)).toBe("₹0.50");
    expect(rupees(1000000000)).toBe("₹1,00,00,00,000.00");
  });

  it("rounds a discount to whole percent, and to 0 and 100 only if it is that", () => {
    expect([0, 0.01, 12.49, 12.5, 50.02, 99.99, 100].map(wholePercent)).toEqual([0, 1, 12, 13, 50, 99, 100]);
  });
});

describe("truncate", () => {
  it("cuts at 100 characters and adds an ellipsis only when something was cut", () => {
    expect(truncate("a".repeat(100), 100)).toBe("a".repeat(100));
    expect(truncate("a".repeat(101), 100)).toBe(`${"a".repeat(100)}…`);
  });

  it("never cuts a character in half", () => {
    expect(truncate("😀".repeat(101), 100)).toBe(`${"😀".repeat(100)}…`);
  });
});

describe("share", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("shares natively where the browser can", async () => {
    const native = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal("navigator", { share: native });
    expect(await share("Cable", "https://shop.test/1")).toBe("shared");
    expect(native).toHaveBeenCalledWith({ title: "Cable", url: "https://shop.test/1" });
  });

  it("does nothing more when the visitor changes their mind", async () => {
    const refuse = () => Promise.reject(new DOMException("", "AbortError"));
    vi.stubGlobal("navigator", { share: refuse });
    expect(await share("Cable", "https://shop.test/1")).toBe("cancelled");
  });

  it("copies where the browser can't share", async () => {
    const writeText = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal("navigator", { clipboard: { writeText } });
    expect(await share("Cable", "https://shop.test/1")).toBe("copied");
    expect(writeText).toHaveBeenCalledWith("https://shop.test/1");
  });

  it("copies in the press itself where the browser has no clipboard, also in a dialog, and keeps the focus", async () => {
    document.body.innerHTML = "<dialog open><button>Copy</button></dialog>";
    const button = document.querySelector("button");
    button?.focus();
    const execCommand = vi.fn(() => document.activeElement?.closest("dialog") !== null);
    vi.stubGlobal("navigator", {});
    Object.assign(document, { execCommand });
    const copied = copyText("https://shop.test/1");
    expect(execCommand).toHaveReturnedWith(true);
    await copied;
    expect(document.activeElement).toBe(button);
    Reflect.deleteProperty(document, "execCommand");
    document.body.innerHTML = "";
  });

  it("copies a selected text where the clipboard refuses", async () => {
    const execCommand = vi.fn(() => true);
    vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.reject(new DOMException()) } });
    Object.assign(document, { execCommand });
    await copyText("https://shop.test/1");
    expect(execCommand).toHaveBeenCalledWith("copy");
    execCommand.mockReturnValue(false);
    await expect(copyText("https://shop.test/1")).rejects.toThrow("copying was refused");
    Reflect.deleteProperty(document, "execCommand");
  });
});

describe("storage", () => {
  it("works without storage", () => {
    vi.stubGlobal("localStorage", {
      getItem() {
        throw new DOMException("denied", "SecurityError");
      },
      setItem() {
        throw new DOMException("full", "QuotaExceededError");
      },
    });
    expect(stored("theme")).toBeNull();
    expect(() => store("theme", "dark")).not.toThrow();
  });
});

describe("times", () => {
  it("are the same in every browser, in Indian time", () => {
    const time = "2026-11-21T20:40:00Z";
    expect(weekday(time)).toBe("Sunday, 22 November");
    expect(daysAgo("2026-11-10", Date.parse(time))).toEqual({ days: 12, text: "12 days ago" });
    expect(daysAgo("2026-11-22", Date.parse(time)).text).toBe("today");
    expect(moment(time)).toBe("22 Nov 2026, 02:10");
  });

  it("have three letters for every month, as the shop's pages do", () => {
    const time = "2026-09-05T03:30:00Z";
    expect(moment(time)).toBe("5 Sep 2026, 09:00");
    expect(shortMoment(time)).toMatch(/^5 Sep( 2026)? 09:00$/);
    expect(ago(time, Date.parse("2026-11-26T00:00:00Z"))).toBe("5 Sep 2026");
  });
});

const OWN_PICTURE = `https://shop.example/picture/${"0123456789abcdef".repeat(2)}`;

it("names the files of an own picture with their widths", () => {
  expect(ownPicture(`${OWN_PICTURE}-480x720.webp`, "6rem")).toEqual({
    srcSet: `${OWN_PICTURE}-96.webp 64w, ${OWN_PICTURE}-360.webp 240w, ${OWN_PICTURE}-480x720.webp 480w`,
    sizes: "6rem",
    width: 480,
    height: 720,
  });
});

it("names no larger file than a small picture has", () => {
  expect(ownPicture(`${OWN_PICTURE}-90x60.webp`, "6rem")).toMatchObject({
    srcSet: `${OWN_PICTURE}-90x60.webp 90w`,
  });
});

it("knows nothing of a seller's picture", () => {
  for (const address of [
    "https://m.media.example/a-480x720.webp",
    "/demo/cable.svg",
    `${OWN_PICTURE}.webp`,
  ]) {
    expect(ownPicture(address, "6rem")).toEqual({});
  }
});
