type Values = Readonly<Record<string, string | number>>;

/** Puts values in the places of a text, like `{seller}`. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => `${values[name]}`);
}

/** Splits a text at its place, which an element takes. */
export function around(text: string): string[] {
  return text.split(/\{\w+\}/);
}
