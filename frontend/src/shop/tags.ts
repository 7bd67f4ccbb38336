import { maxTag, maxTags } from "../lib/constants.json";

/** Returns the tags of a text with commas between them, each once, whatever its case. */
export function tagsOf(text: string): string[] {
  const found = new Map<string, string>();
  for (const part of text.split(/[,|]/)) {
    const tag = part.replace(/\s+/g, " ").trim();
    const key = tag.toLowerCase();
    if (tag && !found.has(key)) {
      found.set(key, tag);
    }
  }
  return [...found.values()];
}

/** Returns true if no tag is too long, and they are not too many. */
export function areTags(tags: string[]): boolean {
  return tags.length <= maxTags && tags.every((tag) => Array.from(tag).length <= maxTag);
}
