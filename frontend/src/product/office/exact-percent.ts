const percents = new Intl.NumberFormat("en-IN", { maximumFractionDigits: 2 });

/** Formats a share as it is stored, like 12.5%. */
export function exactPercent(share: number): string {
  return `${percents.format(share)}%`;
}
