/** Elements that React moves to the head. */
const HOISTED = ["TITLE", "LINK", "META"];

/** Returns a line for each node of a tree, to compare two by. */
export function outline(node: Node | null, depth = 0): string[] {
  if (node === null) {
    return ["nothing"];
  }
  const indent = "  ".repeat(depth);
  if (node.nodeName.startsWith("#")) {
    return [`${indent}${node.nodeName} ${JSON.stringify(node.nodeValue)}`];
  }
  const element = node as Element;
  const attributes = [...element.attributes].map(({ name, value }) => `${name}=${JSON.stringify(value)}`);
  return [
    `${indent}${element.localName} ${attributes.sort().join(" ")}`,
    ...[...element.childNodes]
      .filter((child) => !HOISTED.includes(child.nodeName))
      .flatMap((child) => outline(child, depth + 1)),
  ];
}
