import { fields } from "./fields.json";
import { lines } from "./lines.json";

/**
 * The fields of a product by name, in the order of the form; `src/domain/product/fields.rs` declares them. Images
 * are called pictures on all screens; their label is a column of files.
 */
export const PRODUCT_FIELDS: Readonly<Record<string, { label: string; kind: string; presence: string }>> = {
  ...fields,
  images: { ...fields.images, label: "Pictures" },
  ...lines,
};
