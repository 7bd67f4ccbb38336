import { Context, ELEMENT, type Element, type Props } from "./react";

/** Attributes of visitors' screens by their names in React, each with its beginning in HTML. */
const STARTS = new Map(
  [
    ...["action", "alt", "autoComplete", "d", "dateTime", "enterKeyHint", "fetchPriority", "height", "href"],
    ...[
      "id",
      "inputMode",
      "loading",
      "maxLength",
      "method",
      "name",
      "pattern",
      "placeholder",
      "preserveAspectRatio",
    ],
    ...[
      "referrerPolicy",
      "rel",
      "role",
      "sizes",
      "src",
      "srcSet",
      "tabIndex",
      "target",
      "type",
      "value",
      "viewBox",
      "width",
    ],
    // Of icons.
    ...["cx", "cy", "fill", "points", "r", "rx", "ry", "x", "x1", "x2", "y", "y1", "y2"],
  ].map((name) => [name, ` ${name}="`]),
)
  .set("className", ' class="')
  .set("htmlFor", ' for="');

/** Addresses that lead to a page; others might run as a script. */
const ADDRESS = /^(\/|#|https?:)/i;
const DESCRIPTIVE = /^(aria|data)-[a-z-]+$/;
const HANDLER = /^on[A-Z]/;
const UNSAFE = /[&<>"]/;

/** Elements that React or HTML treats in a way that is not known here. */
const ELSEWHERE =
  "base body head html iframe link listing meta noscript object pre script style template textarea".split(
    " ",
  );

/** Elements of SVG, which may end with a slash. */
const SHAPES = new Set(["circle", "line", "path", "polyline", "rect"]);

/** Elements with rules of their own. */
const SPECIAL = new Map<string, (type: string, props: Props) => string>([
  ...["br", "img", "input"].map((type) => [type, empty] as const),
  // The server writes the head.
  ["title", () => ""],
  ["select", select],
  ["option", option],
  ...ELSEWHERE.map((type) => [type, unknown] as const),
]);

/** True after a text, from which a comment separates the next. */
let afterText = false;
/** Value of the select element that is being written. */
let chosen: string | undefined;

/** Returns the HTML of what a component returned, with React's separators of texts. */
export function toHtml(node: unknown): string {
  afterText = false;
  chosen = undefined;
  return write(node);
}

function write(node: unknown): string {
  if (typeof node === "string") {
    return text(node);
  }
  if (typeof node === "object" && node !== null) {
    if ((node as Element).kind === ELEMENT) {
      return element(node as Element);
    }
    if (!Array.isArray(node)) {
      throw new Error("an object is not an element");
    }
    let html = "";
    for (const part of node) {
      html += write(part);
    }
    return html;
  }
  if (typeof node === "number") {
    return text(String(node));
  }
  if (typeof node === "boolean" || node === undefined || node === null) {
    return "";
  }
  throw new Error(`a ${typeof node} is not an element`);
}

function text(words: string): string {
  if (words === "") {
    return "";
  }
  const separator = afterText ? "<!-- -->" : "";
  afterText = true;
  return separator + escaped(words);
}

function element({ type, props }: Element): string {
  if (typeof type === "string") {
    const special = SPECIAL.get(type);
    return special === undefined ? pair(type, attributes(props), props) : special(type, props);
  }
  if (typeof type === "function") {
    return write(type(props));
  }
  if (type instanceof Context) {
    const outside = type.current;
    type.current = props.value;
    try {
      return write(props.children);
    } finally {
      type.current = outside;
    }
  }
  throw new Error("an element of an unknown kind");
}

/** Writes an element with an end tag. */
function pair(type: string, written: string, { children, dangerouslySetInnerHTML }: Props): string {
  afterText = false;
  const inside =
    dangerouslySetInnerHTML === undefined
      ? write(children)
      : (dangerouslySetInnerHTML as { __html: string }).__html;
  afterText = false;
  return inside === "" && SHAPES.has(type)
    ? `<${type}${written}/>`
    : `<${type}${written}>${inside}</${type}>`;
}

function empty(type: string, props: Props): string {
  afterText = false;
  return `<${type}${attributes(props)}>`;
}

function select(type: string, { value, ...props }: Props): string {
  chosen = String(value);
  const html = pair(type, attributes(props), props);
  chosen = undefined;
  return html;
}

function option(type: string, props: Props): string {
  const selected = String(props.value) === chosen ? ' selected=""' : "";
  return pair(type, attributes(props) + selected, props);
}

function unknown(type: string): never {
  throw new Error(`the element ${type} is not for the server's pages`);
}

function attributes(props: Props): string {
  let html = "";
  for (const name in props) {
    const value = props[name];
    if (value === undefined || value === null || name === "children") {
      continue;
    }
    const start = STARTS.get(name);
    if (typeof value !== "string" || start === undefined) {
      html += attribute(name, value);
    } else if (name === "href" && !ADDRESS.test(value)) {
      throw new Error("a link leads to no page");
    } else if (value !== "" || name !== "src") {
      // React leaves out an empty address, which would be that of the page.
      html += `${start}${escaped(value)}"`;
    }
  }
  return html;
}

/** Writes an attribute that is not a text of a known name. */
function attribute(name: string, value: unknown): string {
  if (typeof value === "number" && STARTS.has(name)) {
    return `${STARTS.get(name)}${value}"`;
  }
  if (DESCRIPTIVE.test(name) && typeof value !== "object" && typeof value !== "function") {
    return ` ${name}="${escaped(String(value))}"`;
  }
  if ((name === "disabled" || name === "required") && typeof value === "boolean") {
    return value ? ` ${name}=""` : "";
  }
  if (
    name === "ref" ||
    name === "dangerouslySetInnerHTML" ||
    (HANDLER.test(name) && typeof value === "function")
  ) {
    return "";
  }
  throw new Error(`the attribute ${name} is not for the server's pages, or not as a ${typeof value}`);
}

function escaped(words: string): string {
  return UNSAFE.test(words)
    ? words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
    : words;
}
