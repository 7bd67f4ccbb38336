/**
 * Products as the page holds them, from src/http/api/products/table.rs: the names of the fields stand
 * once, above their values.
 */
interface Table {
  fields: string[];
  rows: unknown[][];
}

/** The products as the API answers with them. `ratings.averageRating` is a field of an object. */
function fromTable({ fields, rows }: Table): Record<string, unknown>[] {
  return rows.map((row) => {
    const item: Record<string, unknown> = {};
    for (const [index, field] of fields.entries()) {
      const [name = "", inner] = field.split(".");
      item[name] = inner === undefined ? row[index] : { ...(item[name] as object), [inner]: row[index] };
    }
    item.updatedAt ??= item.createdAt;
    return item;
  });
}

/** Has `JSON.parse` read tables as the lists that they are. */
export function listed(_name: string, value: unknown): unknown {
  const table = value as Table | null;
  return table?.fields && table.rows ? fromTable(table) : value;
}
