const FULL = 10_000;

/** Returns the price after a discount in percent, rounded half up to the paisa, in rupees. */
export function finalPrice(price: number, discount: number): number {
  const rest = FULL - hundredths(discount);
  return Math.floor((hundredths(price) * rest + FULL / 2) / FULL) / 100;
}

/** Returns the discount in percent between a price and a final price, with two decimals. */
export function discountOf(price: number, final: number): number {
  const off = Math.max(0, hundredths(price) - hundredths(final));
  return off === 0 ? 0 : Math.floor((off * FULL + hundredths(price) / 2) / hundredths(price)) / 100;
}

/** Returns the price from which a discount leaves this final price; NaN for 100 percent. */
export function priceBefore(final: number, discount: number): number {
  const left = FULL - hundredths(discount);
  return left === 0 ? Number.NaN : Math.floor((hundredths(final) * FULL + left / 2) / left) / 100;
}

/** Returns true if the discount gives this final price, or follows from it by rounding. */
export function fits(price: number, discount: number, final: number): boolean {
  const percent = hundredths(discount);
  if (percent === 0 || percent === FULL) {
    return finalPrice(price, discount) === final;
  }
  const unit = percent % 100 === 0 ? 100 : percent % 10 === 0 ? 10 : 1;
  const off = (hundredths(price) - hundredths(final)) * FULL;
  const wrongBy = Math.abs(off - hundredths(price) * percent);
  return finalPrice(price, discount) === final || wrongBy * 2 <= hundredths(price) * unit;
}

function hundredths(value: number): number {
  return Math.round(value * 100);
}
