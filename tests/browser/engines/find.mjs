// Finding things in a page as people name them: by role and name, label, or text.

/**
 * Returns the first visible element that is meant, in the page; undefined where there is none.
 * It is sent to the page as text and uses nothing outside of itself.
 */
export function find(meant) {
  const ROLES = {
    button: "button, [role=button]",
    dialog: "dialog, [role=dialog]",
    heading: "h1, h2, h3, h4, h5, h6",
    link: "a[href]",
    navigation: "nav",
    row: "tr",
    searchbox: "input[type=search]",
    textbox: "input, textarea",
  };
  const words = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const matches = (text, wanted) =>
    typeof wanted === "string" ? words(text) === wanted : new RegExp(wanted.source, wanted.flags).test(words(text));
  const nameOf = (element) => {
    const by = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    if (by.length > 0) return by.map((id) => document.getElementById(id)?.textContent).join(" ");
    if (element.ariaLabel) return element.ariaLabel;
    if (element.labels?.length > 0) return element.labels[0].textContent;
    return element.textContent;
  };
  const ground = meant.within ? find(meant.within) : document;
  if (!ground) return undefined;
  const { role, name, label, text, css, hidden } = meant;
  const all = [...ground.querySelectorAll(css ?? ROLES[role] ?? (label ? "input, select, textarea" : "body *"))];
  const found = all.filter(
    (element) =>
      (hidden || element.checkVisibility({ visibilityProperty: true })) &&
      (name === undefined || matches(nameOf(element), name)) &&
      (label === undefined || matches(nameOf(element), label)) &&
      (text === undefined || matches(element.textContent, text)),
  );
  // Text is found in the element that holds it, and not in those around.
  const inner =
    text === undefined || css
      ? found
      : found.filter((one) => !found.some((other) => one !== other && one.contains(other)));
  return inner[0];
}

/** Writes regular expressions so that they can be sent to a page. */
export function sendable(meant) {
  const write = (value) => {
    if (value instanceof RegExp) return { source: value.source, flags: value.flags };
    return value !== null && typeof value === "object" ? sendable(value) : value;
  };
  return Object.fromEntries(Object.entries(meant).map(([key, value]) => [key, write(value)]));
}
