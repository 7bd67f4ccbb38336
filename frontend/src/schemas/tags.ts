import { mixed } from "yup";
import { maxTag, maxTags } from "../lib/constants.json";
import { truncate } from "../lib/truncate";
import { tagsOf } from "../shop/tags";

/** Characters of an invalid tag that are repeated. */
const EXCERPT = 40;

/** Returns what is wrong with tags: a list, or a text with commas. */
export function tagProblem(value: unknown): string | undefined {
  const list: unknown = typeof value === "string" ? tagsOf(value) : (value ?? []);
  if (!Array.isArray(list) || !list.every((tag) => typeof tag === "string")) {
    return "Tags must be a list of texts.";
  }
  const broken = list.find((tag) => Array.from(tag.trim()).length > maxTag || /[,|\0]/.test(tag));
  if (broken !== undefined) {
    return `“${truncate(broken, EXCERPT)}” is not a tag: write at most ${maxTag} characters, without commas.`;
  }
  return tagsOf(list.join(",")).length > maxTags ? `At most ${maxTags} tags are allowed.` : undefined;
}

export const tags = mixed()
  .nullable()
  .test("tags", (value, context) => {
    const message = tagProblem(value);
    return message === undefined || context.createError({ message });
  });
