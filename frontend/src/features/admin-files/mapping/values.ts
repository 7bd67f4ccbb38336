import type { FilePreview, Mapping } from "../../../api/types";
import { FIELDS } from "./fields";

type MappingRule = Mapping["fields"][string];

/** A field's rule as the form has it; empty texts are what is left out. */
export interface RuleValues {
  columns: string[];
  as: string;
  constant: string;
  prefix: string;
  order: string;
  table: { name: string; to: string }[];
}

export type MappingValues = Record<string, RuleValues>;

/**
 * Returns the values of a mapping, with only those of its columns that the file has. A field with a
 * question has none, so that any answer is a change.
 */
export function valuesOf(
  mapping: Mapping,
  { sources, questions }: Pick<FilePreview, "sources" | "questions">,
): MappingValues {
  return Object.fromEntries(
    FIELDS.map(({ name, readings: [[usual]] }) => {
      const rule = mapping.fields[name] ?? {};
      const isOpen = questions.some(({ field }) => field === name);
      const source = sources.find(({ field }) => field === name && !isOpen);
      const found = source?.columns ?? [];
      const values: RuleValues = {
        columns: found.length > 0 ? [...new Set(found)] : [""],
        as: rule.as ?? usual,
        constant: rule.constant ?? "",
        prefix: rule.prefix ?? "",
        order: rule.order ?? "",
        table: Object.entries(rule.table ?? {}).map(([of, to]) => ({ name: of, to: to ?? "" })),
      };
      return [name, values];
    }),
  );
}

/**
 * Returns the mapping with the changed fields. A field that is not changed keeps its rule, and with it
 * the columns that only other files have.
 */
export function mappingOf(values: MappingValues, before: MappingValues, mapping: Mapping): Mapping {
  const fields = { ...mapping.fields };
  for (const { name } of FIELDS) {
    const [now, then] = [values[name], before[name]];
    if (now && then && !isSame(now, then)) {
      const rule = ruleOf(name, now, then, fields[name] ?? {});
      if (rule) {
        fields[name] = rule;
      } else {
        delete fields[name];
      }
    }
  }
  return { ...mapping, fields };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns a field's rule; nothing without columns and a constant. */
function ruleOf(name: string, now: RuleValues, then: RuleValues, rule: MappingRule): MappingRule | undefined {
  const {
    columns,
    spare,
    as: _,
    constant: _constant,
    prefix: _prefix,
    order: _order,
    table,
    ...others
  } = rule;
  const chosen = now.columns.filter((column) => column !== "");
  const from = isSame(now.columns, then.columns)
    ? { ...(columns && { columns }), ...(spare && { spare }) }
    : { columns: chosen };
  if ((from.columns ?? []).length === 0 && now.constant === "") {
    return undefined;
  }
  const usual = FIELDS.find((field) => field.name === name)?.readings[0][0];
  const names = name === "category" ? tableOf(now) : table;
  return {
    ...others,
    ...from,
    ...(now.as !== usual && { as: now.as as NonNullable<MappingRule["as"]> }),
    ...(now.constant !== "" && { constant: now.constant }),
    ...(now.prefix !== "" && { prefix: now.prefix }),
    ...(now.order !== "" && { order: now.order as NonNullable<MappingRule["order"]> }),
    ...(names && Object.keys(names).length > 0 && { table: names }),
  };
}

function tableOf({ table }: RuleValues): Record<string, string | null> {
  return Object.fromEntries(table.map(({ name, to }) => [name, to === "" ? null : to]));
}

/** Returns the rows of a category table with these counterparts, each name once. */
export function withCounterparts(
  table: RuleValues["table"],
  counterparts: Record<string, string>,
): RuleValues["table"] {
  const kept = table.filter(({ name }) => !(name in counterparts));
  return [...kept, ...Object.entries(counterparts).map(([name, to]) => ({ name, to }))];
}
