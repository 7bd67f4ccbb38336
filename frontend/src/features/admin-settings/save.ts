export type Save = (change: Record<string, unknown>) => Promise<Refusal | undefined>;

export interface Refusal {
  text: string;
  fields: Readonly<Record<string, string>>;
}
