import type { Scope } from "../../api/types";

/** Permissions of a key in words, in the order of the form. */
export const SCOPES: { scope: Scope; words: string }[] = [
  { scope: "products:read", words: "Read products in every state, and export them" },
  { scope: "products:write", words: "Add, change and delete products" },
  { scope: "import", words: "Import files" },
  { scope: "reports:read", words: "Read reports" },
];
