// @vitest-environment node

import { readdirSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import english from "./en.json";
import { around, fill } from "./fill";
import { plural } from "./plural";

describe("a text", () => {
  it("takes a value in each of its places, as it is", () => {
    expect(fill("{a} of {b}, {a}", { a: "{b}", b: 2 })).toBe("{b} of 2, {b}");
    expect(fill("{a}!", { a: "$& $1" })).toBe("$& $1!");
  });

  it("takes the form of its number, in Indian grouping", () => {
    const deals = [0, 1, 2, 123_456].map((number) => plural(english.dealsCount, number));
    expect(deals).toEqual(["0 deals", "1 deal", "2 deals", "1,23,456 deals"]);
  });

  it("is split at the place of an element", () => {
    expect(around(english.didYouMean)).toEqual(["Did you mean ", "?"]);
  });
});

/** Sources of what only accounts, the office and product forms show. */
const NOT_FOR_VISITORS = new RegExp(
  `^src/(${[
    "api/(accounts|factor|office/|outgoing/|own-account|products/changes|users)",
    "app/(office/|require-session)",
    "features/(add|admin|first|forgot|login|profile|register|reset|update|verify)-?",
    "lib/time",
    "product/(admin-actions|form/|office/)",
    "schemas/",
    "shop/product-fields",
    "session/(code-|confirmed|no-mail|resend-button)",
    "test/",
    "ui/(form/(field|save-bar|shown-once|time-field)|loaded|office-list|plot/|reorder)",
  ].join("|")})`,
);

interface Node {
  type: string;
  [field: string]: unknown;
}

/** A node of a syntax tree, and those that it is in, the innermost first. */
type Path = readonly [Node, ...Node[]];

function* pathsIn(value: unknown, outer: readonly Node[] = []): Generator<Path> {
  if (Array.isArray(value)) {
    for (const each of value) {
      yield* pathsIn(each, outer);
    }
  } else if (typeof value === "object" && value !== null && "type" in value) {
    const path: Path = [value as Node, ...outer];
    yield path;
    for (const inner of Object.values(value)) {
      yield* pathsIn(inner, path);
    }
  }
}

function parsed(file: string, source: string) {
  const { program, errors } = parseSync(file, source);
  expect(errors).toEqual([]);
  return { file, paths: [...pathsIn(program)] };
}

const SOURCES = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((file) => `src/${file}`)
  .filter((file) => /(?<!\.test|\.d)\.tsx?$/.test(file))
  .concat("worker/sw.ts")
  .map((file) => parsed(file, readFileSync(file, "utf8")));

/** Returns the text of a literal, with … for the values of a template. */
function literal({ type, value, quasis }: Node): string {
  const parts = type === "TemplateLiteral" ? (quasis as { value: { cooked: string } }[]) : [];
  return typeof value === "string" ? value.trim() : parts.map((part) => part.value.cooked).join("…");
}

const CHOICE = /^(Conditional|Logical|Parenthesized|TemplateLiteral|TSAs)/;
const NO_TEXT = /^(Import|ThrowStatement|TSLiteralType|TSModule)/;
const ATTRIBUTE_OF_TEXT = /^(alt|aria-label|heading|hint|label|placeholder|title)$/;
const OTHER_ATTRIBUTE = /^(className|d|key|rel)$/;
const SELECTS = /^(closest|matches|matchMedia|querySelector(All)?)$/;
/** Begins with a capital letter, or has a word beside others. */
const LIKE_A_TEXT = /^[^\p{L}]*\p{Lu}\p{Ll}|[\p{L}…][.,:;!?]? \p{L}{2}|\p{L}{2} …/u;
/** Zones of time, addresses, names of types, media queries and several classes. */
const LIKE_A_NAME =
  /^\S+[-:/]\S+$|^\(.*\)$|^\p{Lu}\p{Ll}+\p{Lu}\w+$|^(?=.*[-:])[a-z][\w:-]*( [a-z\d][^\s,;.!?]*)*$/u;

function nameOf(node: unknown): string {
  const { name, property } = node as Node;
  return property ? nameOf(property) : typeof name === "object" ? nameOf(name) : String(name ?? "");
}

function isText([node, ...outer]: Path): boolean {
  const text = literal(node);
  if (!/\p{L}{2}/u.test(text) || outer.some(({ type }) => NO_TEXT.test(type))) {
    return false;
  }
  // A choice between texts stands for them.
  const [place, around] = outer.filter(({ type }) => !CHOICE.test(type));
  const isInner = place?.type === "JSXExpressionContainer";
  const holder = isInner ? around : place;
  if (holder?.type === "JSXAttribute" && ATTRIBUTE_OF_TEXT.test(nameOf(holder))) {
    return true;
  }
  if (node.type === "JSXText" || (isInner && holder?.type !== "JSXAttribute")) {
    return true;
  }
  const isCompared = outer[0]?.type === "BinaryExpression";
  const isSelector = place?.type === "CallExpression" && SELECTS.test(nameOf(place.callee));
  const isOther = outer.some((it) => it.type === "JSXAttribute" && OTHER_ATTRIBUTE.test(nameOf(it)));
  return !isCompared && !isSelector && !isOther && LIKE_A_TEXT.test(text) && !LIKE_A_NAME.test(text);
}

/** Returns the places of a text, and of all forms of a plural. */
function placesOf(text: string | object): string[] {
  const all = JSON.stringify(text).matchAll(/\{(\w+)\}/g);
  return [...new Set([...all].map(([, place]) => String(place)))].sort();
}

/** Returns the places that the call around a text fills; none if there is no such call. */
function filledIn([node, ...outer]: Path): string[] {
  const call = outer.find(({ type }) => !CHOICE.test(type));
  const [, values] = (call?.arguments ?? []) as (Node | undefined)[];
  switch (call?.type === "CallExpression" && call.arguments && nameOf(call.callee)) {
    case "fill":
      return ((values?.properties ?? []) as Node[]).map(({ key }) => nameOf(key)).sort();
    case "plural":
      return ["count"];
    case "around":
      return placesOf(english[nameOf(node) as keyof typeof english]).slice(0, 1);
    default:
      return [];
  }
}

describe("the texts of visitors' screens", () => {
  it("stand in en.json only", () => {
    const found = SOURCES.filter(({ file }) => /^src/.test(file) && !NOT_FOR_VISITORS.test(file)).flatMap(
      ({ file, paths }) => paths.filter(isText).map(([node]) => `${file}: ${literal(node)}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    "<p>some</p>",
    "<p>{open ? 'less' : count}</p>",
    "<p aria-label={`#{count} done`} />",
    "<Screen name='Saved' />",
    "toast({ title: 'It is done' })",
    "const words = `#{count} ago`",
    "const words = isNew && ` · Added #{day}`",
  ])("would be found in %s", (source) => {
    expect(parsed("x.tsx", source.replace("#{", "${")).paths.filter(isText)).toHaveLength(1);
  });

  const used = SOURCES.flatMap(({ file, paths }) => {
    const names = paths.flatMap(([node, of]) =>
      node.type === "ImportSpecifier" && literal((of?.source ?? {}) as Node).endsWith("texts/en.json")
        ? [nameOf(node.local)]
        : [],
    );
    return paths
      .filter(([node, of]) => node.type === "Identifier" && of?.type !== "ImportSpecifier")
      .filter(([node, of]) => names.includes(nameOf(node)) && of?.key !== node && of?.property !== node)
      .map((path) => ({ file, name: nameOf(path[0]) as keyof typeof english, path }));
  });

  it("are all used", () => {
    const names = new Set(used.map(({ name }) => name));
    expect(Object.keys(english).filter((name) => !names.has(name as keyof typeof english))).toEqual([]);
  });

  it("are filled where they are used", () => {
    const wrong = used
      .map(({ file, name, path }) => ({
        file,
        name,
        places: placesOf(english[name]),
        filled: filledIn(path),
      }))
      .filter(({ places, filled }) => places.join() !== filled.join());
    expect(wrong).toEqual([]);
  });
});
