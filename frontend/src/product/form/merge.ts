import { EMPTY_PRODUCT, type ProductFormValues } from "../../schemas/product";
import { PRODUCT_FIELDS } from "../../shop/product-fields";

type Name = keyof ProductFormValues;

/** Fields that are changed and chosen together, and their common label. */
export interface Part {
  label: string;
  names: readonly Name[];
}

const PARTS: readonly Part[] = (Object.keys(EMPTY_PRODUCT) as Name[])
  .filter((name) => name !== "finalPrice")
  .map((name) =>
    // One follows from the other.
    name === "discount"
      ? { label: "Discount and final price", names: ["discount", "finalPrice"] }
      : { label: PRODUCT_FIELDS[name]?.label ?? name, names: [name] },
  );

interface Merged {
  /** Typed values with the other person's changes of fields that were left alone. */
  values: ProductFormValues;
  /** Parts that only the other person changed. */
  taken: Part[];
  /** Parts that both changed, differently; they keep the typed values. */
  conflicts: Part[];
}

/** Merges two changes of a version; without that version, each difference is a conflict. */
export function merge(
  base: ProductFormValues | undefined,
  mine: ProductFormValues,
  theirs: ProductFormValues,
): Merged {
  const differ = PARTS.filter((part) => !same(part, mine, theirs));
  const taken = differ.filter((part) => base !== undefined && same(part, base, mine));
  const conflicts = differ.filter(
    (part) => base === undefined || !(same(part, base, mine) || same(part, base, theirs)),
  );
  return { values: withParts(mine, theirs, taken), taken, conflicts };
}

/** Returns values with some parts of others. */
export function withParts(
  values: ProductFormValues,
  others: ProductFormValues,
  parts: readonly Part[],
): ProductFormValues {
  const names = parts.flatMap((part) => part.names);
  return { ...values, ...Object.fromEntries(names.map((name) => [name, others[name]])) };
}

function same({ names }: Part, one: ProductFormValues, other: ProductFormValues): boolean {
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
