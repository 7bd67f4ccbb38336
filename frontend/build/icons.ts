import { promises as fs } from "node:fs";
import type { Plugin } from "vite";
import ofServer from "./server-icons.json" with { type: "json" };

const PREFIX = "icon:";

/**
 * Resolves `import house from "icon:house"` to a Lucide icon: Lucide's components write 150 bytes
 * of attributes for each, which one CSS rule replaces. Writes the icons of server-icons.json as
 * Rust into the file `SERVER_ICONS`.
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
    async writeBundle() {
      const file = process.env.SERVER_ICONS;
      if (file !== undefined) {
        await fs.writeFile(file, (await Promise.all(ofServer.map(asRust))).join(""));
      }
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

async function asRust(name: string): Promise<string> {
  const elements = (await drawing(name)).map(([element, attributes]) => {
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
    return `<${element}${written.join("")}/>`;
  });
  const constant = name.toUpperCase().replaceAll("-", "_");
  return `pub(super) const ${constant}: Icon = Icon(r#"${elements.join("")}"#);\n`;
}
