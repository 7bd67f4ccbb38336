/** What every part of the screen saves by; it gives why it was not saved, if it was not. */
export type Save = (change: Record<string, unknown>) => Promise<Refusal | undefined>;

/** Why a change was not saved. */
export interface Refusal {
  text: string;
  fields: Readonly<Record<string, string>>;
}
