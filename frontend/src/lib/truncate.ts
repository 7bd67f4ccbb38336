/**
 * Returns the first `length` characters of a text, with an ellipsis if it is longer. Does
 * not split surrogate pairs.
 */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length > length ? `${characters.slice(0, length).join("").trimEnd()}…` : text;
}
