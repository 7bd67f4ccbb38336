import type { Scope } from "../../api/types";

/** Permissions of a key in words, in the order of the form. */
export const SCOPES: { value: Scope; words: string }[] = [
  { value: "products:read", words: "Read deals in every state, and export them" },
  { value: "products:write", words: "Add, change and delete deals" },
  { value: "import", words: "Import files" },
  { value: "reports:read", words: "Read reports" },
];
