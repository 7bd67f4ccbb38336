/** The price after a discount in percent, rounded half up to the paisa, in rupees. */
export function finalPrice(price: number, discount: number): number {
  const paise = Math.round(price * 100);
  const rest = 10_000 - Math.round(discount * 100);
  return Math.floor((paise * rest + 5_000) / 10_000) / 100;
}
