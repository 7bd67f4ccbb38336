import type { Section } from "../../api/types";

export type Kind = Section["kind"];
export type FieldName = "deals" | "category" | "seller" | "collection" | "text" | "picture" | "alt" | "link";

interface KindOfSection {
  name: string;
  /** Description of its content. */
  hint: string;
  /** Fields besides the title, in their order. */
  fields: readonly FieldName[];
}

/** The kinds of sections (`src/domain/settings/sections.rs`), in the order in which they are offered. */
export const KINDS: Record<Kind, KindOfSection> = {
  picks: {
    name: "Best deals",
    hint: "Deals that are really cheaper than before, or well rated ones while there are few",
    fields: ["deals"],
  },
  categories: { name: "Categories", hint: "Tiles of your categories", fields: [] },
  newest: { name: "Newest", hint: "The deals that were added last", fields: ["deals"] },
  clicked: { name: "Most clicked this week", hint: "By people, up to the last full hour", fields: ["deals"] },
  ending: { name: "Ending soon", hint: "Deals that end within 24 hours", fields: ["deals"] },
  category: { name: "Category", hint: "The newest deals of one category", fields: ["category", "deals"] },
  seller: { name: "Seller", hint: "The newest deals of one seller", fields: ["seller", "deals"] },
  collection: {
    name: "Collection",
    hint: "The deals of one collection, in its order, while it runs",
    fields: ["collection", "deals"],
  },
  text: { name: "Text", hint: "Your own words", fields: ["text"] },
  banner: { name: "Banner", hint: "A picture with a link", fields: ["picture", "alt", "link"] },
};

/** A section as its form has it. */
export interface Draft {
  /** Tells it from others while it moves. */
  key: string;
  kind: Kind;
  title: string;
  deals: string;
  name: string;
  text: string;
  picture: string;
  alt: string;
  link: string;
}

let made = 0;

export function draftOf({ deals, ...section }: Section): Draft {
  made += 1;
  const empty = { title: "", name: "", text: "", picture: "", alt: "", link: "" };
  return { ...empty, ...section, key: `section-${made}`, deals: String(deals || 6) };
}

/** Sections of a shop whose owner arranged none. */
export const USUAL: readonly Section[] = [{ kind: "picks", deals: 5 }, { kind: "categories" }];

/** Returns the sections to send: none for the usual page. */
export function sectionsOf(drafts: readonly Draft[]): Section[] {
  const sections = drafts.map(sectionOf);
  return JSON.stringify(sections) === JSON.stringify(USUAL) ? [] : sections;
}

/** Fields that say whose deals they are. */
const NAMED: readonly FieldName[] = ["category", "seller", "collection"];

function sectionOf({ kind, title, deals, name, text, picture, alt, link }: Draft): Section {
  const { fields } = KINDS[kind];
  const section: Section = { kind };
  if (title.trim() !== "") {
    section.title = title;
  }
  if (fields.includes("deals")) {
    section.deals = Number(deals);
  }
  if (NAMED.some((field) => fields.includes(field))) {
    section.name = name;
  }
  if (fields.includes("text")) {
    section.text = text;
  }
  return fields.includes("picture") ? { ...section, picture, alt, link } : section;
}

/** Names a section, like `Category “Books”`. */
export function nameOf({ kind, title, name }: Draft): string {
  const own = title.trim() || name;
  return own === "" ? KINDS[kind].name : `${KINDS[kind].name} “${own}”`;
}
