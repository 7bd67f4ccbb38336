import { promises as fs } from "node:fs";
import crawlers from "crawler-user-agents";
import type { Plugin } from "vite";

/** Patterns that people's browsers have too: apps that show pages in themselves, and an Android's build. */
const OF_PEOPLE = [
  "MetaIAB Facebook",
  "AP3A\\.240617\\.008",
  "Viber",
  "Sonic",
  "Fluid",
  "Code\\/1\\.",
  "Trae\\/",
];

/** What a program is for, by its tags; the first that fits. */
const KINDS = [
  ["social-preview", "preview"],
  ["browser-automation", "automated"],
  ["http-library", "program"],
] as const;

/**
 * Writes the patterns by which programs are told from people into the file that `AGENTS` names, a
 * line each: what it is, whether it is a text or an expression, and the pattern.
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
