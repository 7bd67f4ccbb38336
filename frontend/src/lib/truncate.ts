/**
 * The first `length` characters of a text, followed by an ellipsis if that is
 * not all of it. Never cuts a character that takes two code units in half.
 */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length > length ? `${characters.slice(0, length).join("").trimEnd()}…` : text;
}
