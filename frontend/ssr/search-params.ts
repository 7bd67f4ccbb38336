/** The part of `URLSearchParams` that visitors' screens use, which QuickJS does not have. */
export class SearchParams {
  readonly #pairs: (readonly [string, string])[];

  constructor(from: string | readonly (readonly [string, string])[] | Record<string, string> = "") {
    this.#pairs =
      typeof from === "string" ? pairsOf(from) : Array.isArray(from) ? [...from] : Object.entries(from);
  }

  get size(): number {
    return this.#pairs.length;
  }

  get(name: string): string | null {
    return this.#pairs.find(([other]) => other === name)?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter(([other]) => other === name).map(([, value]) => value);
  }

  /** Sets a parameter that there is none of. */
  set(name: string, value: string): void {
    if (this.get(name) !== null) {
      throw new Error(`the parameter ${name} is set already`);
    }
    this.#pairs.push([name, value]);
  }

  toString(): string {
    return this.#pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  }
}

function pairsOf(query: string): [string, string][] {
  const parts = query.replace(/^\?/, "").split("&").filter(Boolean);
  return parts.map((part) => {
    const at = part.includes("=") ? part.indexOf("=") : part.length;
    return [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
  });
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

function encoded(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}
