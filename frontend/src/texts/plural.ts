import { count } from "../lib/rupees";
import { fill } from "./fill";

/** Forms of a text by plural category, as the rules of its language name them. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

const RULES = new Intl.PluralRules("en-IN");

/** Fills the form of a text for a number, which `{count}` shows in Indian grouping. */
export function plural(forms: Forms, number: number): string {
  return fill(forms[RULES.select(number)] ?? forms.other, { count: count(number) });
}
