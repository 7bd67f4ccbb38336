const format = new Intl.NumberFormat("en-IN", {
  style: "currency",
  currency: "INR",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Formats an amount in rupees, like ₹1,23,456.00. */
export function rupees(amount: number): string {
  return format.format(amount);
}

/** Formats an amount without zero paise, like ₹1,299. */
export function shortRupees(amount: number): string {
  return rupees(amount).replace(/\.00$/, "");
}

const counts = new Intl.NumberFormat("en-IN");

/** Formats a count in Indian grouping, like 1,23,456. */
export function count(number: number): string {
  return counts.format(number);
}

/** Formats a share in whole percent, like 13%. */
export function percent(share: number): string {
  return `${wholePercent(share)}%`;
}

/** Rounds a share to whole percent; 100 and 0 only if it is exactly that. */
export function wholePercent(share: number): number {
  return share === 0 || share === 100 ? share : Math.min(Math.max(Math.round(share), 1), 99);
}

export function saved({ price, finalPrice }: { price: number; finalPrice: number }): number {
  return Math.round((price - finalPrice) * 100) / 100;
}

/** Formats a count with its noun, like 1 Click and 2 Clicks. */
export function counted(number: number, one: string, several: string): string {
  return `${count(number)} ${number === 1 ? one : several}`;
}
