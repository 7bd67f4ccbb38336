import { lines } from "./lines.json";

type Line = (typeof lines)[keyof typeof lines];

/** Optional texts of one line. */
export const LINES = Object.entries(lines) as [keyof typeof lines, Line][];

/** Optional texts that the form has an input for. */
export const FORM_LINES = LINES.filter(([, { inForm }]) => inForm);
