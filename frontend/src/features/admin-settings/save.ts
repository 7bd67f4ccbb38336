/** Saves a change of settings; returns the refusal, if any. */
export type Save = (change: Record<string, unknown>) => Promise<Refusal | undefined>;

/** Reasons why a change was not saved. */
export interface Refusal {
  text: string;
  fields: Readonly<Record<string, string>>;
}
