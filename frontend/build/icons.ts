import type { Plugin } from "vite";

const PREFIX = "icon:";

/**
 * Resolves `import house from "icon:house"` to a Lucide icon: Lucide's components write 150 bytes
 * of attributes for each, which one CSS rule replaces.
 */
export function icons(): Plugin {
  return {
    name: "icons",
    enforce: "pre",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    async load(id) {
      const name = id.startsWith(`\0${PREFIX}`) ? id.slice(PREFIX.length + 1) : undefined;
      return name === undefined ? undefined : `export default ${JSON.stringify(await drawing(name))}`;
    },
  };
}

type Drawing = [element: string, attributes: Record<string, string>][];

/** Returns an icon's elements without React's keys. */
async function drawing(name: string): Promise<Drawing> {
  const { __iconData: data } = (await import(`lucide-react/icons/${name}`)) as {
    __iconData: { node: Drawing };
  };
  return data.node.map(([element, { key, ...attributes }]) => [element, attributes]);
}
