import { promises as fs } from "node:fs";
import crawlers from "crawler-user-agents";
import type { Plugin } from "vite";

/** Patterns that match browsers too: in-app browsers, and an Android build. */
const OF_PEOPLE = [
  "MetaIAB Facebook",
  "AP3A\\.240617\\.008",
  "Viber",
  "Sonic",
  "Fluid",
  "Code\\/1\\.",
  "Trae\\/",
];

/** Kinds of programs by their tags; the first match wins. */
const KINDS = [
  ["social-preview", "preview"],
  ["browser-automation", "automated"],
  ["http-library", "program"],
] as const;

/**
 * Writes the patterns of programs' user agents into the file `AGENTS`, one a line: kind, text or
 * regular expression, and pattern.
 */
export function agents(): Plugin {
  return {
    name: "agents",
    apply: "build",
    async writeBundle() {
      const file = process.env.AGENTS;
      if (file !== undefined) {
        const lines = (crawlers satisfies Crawler[])
          .filter(({ pattern }) => !OF_PEOPLE.includes(pattern))
          .map(line);
        await fs.writeFile(file, lines.join("\n"));
      }
    },
  };
}

interface Crawler {
  pattern: string;
  tags?: string[];
}

function line({ pattern, tags = [] }: Crawler): string {
  const kind = KINDS.find(([tag]) => tags.includes(tag))?.[1] ?? "bot";
  const text = pattern.replaceAll(/\\([^a-zA-Z\d])/g, "$1");
  const isText = !/(?<!\\)[[\](){}.*+?|^$]|\\[a-zA-Z\d]/.test(pattern);
  return [kind, isText ? "text" : "expression", isText ? text : pattern].join("\t");
}
