import type { Plugin } from "vite";
import rules from "../../assets/link-rules.json" with { type: "json" };

const NAME = "shops:known";

/**
 * Resolves `import { names, sellers } from "shops:known"` to the names of the shops of the link rules,
 * as a pattern, and to those that a host does not spell, by host. The rest is the server's and would
 * be a kilobyte.
 */
export function knownShops(): Plugin {
  return {
    name: "known-shops",
    enforce: "pre",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? code() : undefined),
  };
}

function code(): string {
  const names = rules.shops.map(({ name }) => name.toLowerCase().replaceAll(" ", " ?")).join("|");
  const sellers = rules.shops.flatMap(({ name, hosts, shorteners = [] }) => {
    const all = [...hosts, ...shorteners].map((host) => host.replace(/^www\.|\/.*/g, ""));
    const spelled = name.charAt(0).toLowerCase() + name.slice(1);
    return all.filter((host) => host.split(".").at(-2) !== spelled).map((host) => [host, name]);
  });
  return `export const names = ${JSON.stringify(names)};
    export const sellers = ${JSON.stringify(Object.fromEntries(sellers))};`;
}
