import { describe, expect, it } from "vitest";
import { intl } from "./intl";
import { createElement, jsx, lazy, Suspense, useState, useSyncExternalStore } from "./react";
import { SearchParams } from "./search-params";
import { toHtml } from "./write";

const RUPEES = {
  style: "currency",
  currency: "INR",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
} as const;
const DAY = { day: "numeric", month: "long", year: "numeric", timeZone: "Asia/Kolkata" } as const;

describe("the formats of the server's bundle", () => {
  it.each([0, 1, 12, 999, 1_000, 99_999, 100_000, 12_345_678, 4_294_967_295])(
    "write %d as a browser does",
    (n) => {
      expect(new intl.NumberFormat("en-IN").format(n)).toBe(new Intl.NumberFormat("en-IN").format(n));
      const amount = n + 0.07;
      const ours = new intl.NumberFormat("en-IN", RUPEES).format(amount);
      expect(ours).toBe(new Intl.NumberFormat("en-IN", RUPEES).format(amount));
    },
  );

  it.each([
    "2026-03-01T18:29:59.999Z",
    "2026-03-01T18:30:00Z",
    "2024-02-29T12:00:00+05:30",
    "2026-09-30T20:00:00Z",
  ])("write the day of %s as a browser does", (time) => {
    const ours = new intl.DateTimeFormat("en-IN", DAY).format(new Date(time));
    expect(ours).toBe(new Intl.DateTimeFormat("en-IN", DAY).format(new Date(time)));
  });

  it("know the plurals of English", () => {
    for (const number of [0, 1, 2, 11, 21, 1.5]) {
      expect(new intl.PluralRules("en").select(number)).toBe(new Intl.PluralRules("en").select(number));
    }
  });

  it.each([
    () => new intl.NumberFormat("en-GB"),
    () => new intl.NumberFormat("en-IN", { style: "percent" }),
    () => new intl.NumberFormat("en-IN").format(1.5),
    () => new intl.NumberFormat("en-IN").format(-1),
    () => new intl.NumberFormat("en-IN", RUPEES).format(1.005),
    () => new intl.NumberFormat("en-IN", RUPEES).format(Number.NaN),
    () => new intl.DateTimeFormat("en-IN"),
    () => new intl.DateTimeFormat("en-IN", { ...DAY, month: "short" }),
    () => new intl.DateTimeFormat("en-IN", DAY).format(new Date("")),
    () => new intl.PluralRules("hi"),
    () => new intl.PluralRules("en", { type: "ordinal" }),
  ])("throw for what they do not know: %s", (format) => {
    expect(format).toThrow(RangeError);
  });
});

describe("the query of the server's bundle", () => {
  const texts = [
    "",
    "a b+c",
    "हिन्दी 👩‍👧 e\u0301",
    "!'()*~-._",
    "a=b&c=d#e?f%20",
    '"<>\\^`{|}/:;@,$[]',
    "\u0000\n",
  ];

  it.each(texts)("is written and read like %j by a browser", (text) => {
    const pairs: [string, string][] = [
      [text, "1"],
      ["q", text],
    ];
    const written = new URLSearchParams(pairs).toString();
    expect(new SearchParams(pairs).toString()).toBe(written);
    expect(new SearchParams(`?${written}`).get("q")).toBe(text === "q" ? "1" : text);
    expect(new SearchParams(written).toString()).toBe(written);
  });

  it("is read as a browser does where it says things twice or not at all", () => {
    for (const query of ["", "?", "?a", "a=1&a=2", "&&a=&b", "a==b&=c", "A=1"]) {
      const [ours, theirs] = [new SearchParams(query), new URLSearchParams(query)];
      expect([ours.get("a"), ours.get("b"), ours.size]).toEqual([
        theirs.get("a"),
        theirs.get("b"),
        theirs.size,
      ]);
    }
  });

  it("throws for a parameter that is set twice", () => {
    expect(() => new SearchParams("a=1").set("a", "2")).toThrow();
  });
});

describe("the writer of the server's bundle", () => {
  it("separates texts, and nothing else, by comments", () => {
    const node = [
      "a",
      "",
      null,
      0,
      jsx("b", { children: ["c", ["d", false]] }),
      "e",
      createElement("i", {}),
      "f",
    ];
    expect(toHtml(node)).toBe("a<!-- -->0<b>c<!-- -->d</b>e<i></i>f");
  });

  it("escapes texts and attributes", () => {
    const element = jsx("p", { className: `<"&'>`, children: `<"&'>` });
    expect(toHtml(element)).toBe(`<p class="&lt;&quot;&amp;'&gt;">&lt;&quot;&amp;'&gt;</p>`);
  });

  it.each([
    ["an attribute that it does not know", jsx("p", { style: {} })],
    ["a flag that it does not know", jsx("input", { checked: true })],
    ["a truth where a text belongs", jsx("p", { id: true })],
    ["an object in an attribute", jsx("p", { "aria-label": {} })],
    ["a name that would end the tag", jsx("p", { "aria-x onload": "1" })],
    ["an action", jsx("form", { action: () => undefined })],
    ["an address that runs", jsx("a", { href: "javascript:alert(1)" })],
    ["an element with rules of its own", jsx("textarea", { value: "a" })],
    ["data in the place of an element", { kind: "element", type: "p", props: {} }],
    ["a promise", Promise.resolve("a")],
    ["a function", () => "a"],
    ["a screen that is loaded on demand", jsx(lazy(), {})],
    ["a boundary that waits", jsx(Suspense, {})],
    ["a state that changes", jsx(() => useState(0)[1](), {})],
    ["a store without a state on the server", jsx(() => useSyncExternalStore(null, null), {})],
  ])("throws for %s", (_what, node) => {
    expect(() => toHtml(node)).toThrow();
  });
});
