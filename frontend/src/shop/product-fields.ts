import { fields, lines } from "./fields.json";

type Line = (typeof lines)[keyof typeof lines];

/**
 * The fields of a product by name, in the order of the form; `src/domain/product/fields.rs` declares them. Images
 * are called pictures on all screens; their label is a column of files.
 */
export const PRODUCT_FIELDS: Readonly<Record<string, { label: string; kind: string; presence: string }>> = {
  ...fields,
  images: { ...fields.images, label: "Pictures" },
  ...lines,
};

/** Optional texts of one line. */
export const LINES = Object.entries(lines) as [keyof typeof lines, Line][];

/** Optional texts that the form has an input for. */
export const FORM_LINES = LINES.filter(([, { inForm }]) => inForm);
