import type { Plugin } from "vite";
import rules from "../../assets/link-rules.json" with { type: "json" };

const NAME = "shops:known";

/**
 * Resolves `import { names, sellers, silent, channels } from "shops:known"` to what the link rules say
 * about hosts: the names of the shops as a pattern, the sellers by host, and the hosts that name none.
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
  const sellers = rules.shops.flatMap(({ name, hosts, shorteners = [] }) =>
    [...hosts, ...shorteners].map((host) => [host.replace(/^www\.|\/.*/g, ""), name]),
  );
  const networks = rules.networks.flatMap(({ hosts }) => hosts.map((host) => host.replace("*.", "")));
  const values = {
    names,
    sellers: { ...Object.fromEntries(sellers), ...rules.sellers },
    silent: [...networks, ...rules.silent],
    channels: rules.channels,
  };
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join("\n");
}
