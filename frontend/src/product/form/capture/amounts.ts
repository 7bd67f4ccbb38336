/** Amounts in rupees: with the sign or the abbreviation before them, or with "/-" behind. */
const AMOUNT =
  /(?:₹|\brs\.?|\binr\b)\s*(\d+(?:,\d{2,3})*(?:\.\d{1,2})?)(?![\d.,]*\d)|\b(\d+(?:,\d{2,3})*(?:\.\d{1,2})?)\s*(?:\/-|₹|rupees\b)/gi;

/** Words before a list price. */
const LISTED = /\b(m\.?r\.?p|was|worth|(list|original|regular) price)[^a-z₹]*(is|rs)?[^a-z₹]*$/i;
/** Words around amounts that are no price: savings, conditions, instalments. */
const BEFORE =
  /\b(save|off|cashback|coupon|flat|up ?to|extra|above|over|under|below|from|starting|min|emi|delivery|shipping)[^a-z]*(at|is|on)?[^a-z]*$/i;
const BEHIND =
  /^[^a-z\d₹]{0,3}(off\b|cashback|discount|coupon|instant|emi\b|per month|mo|p\.?m\b|delivery|shipping|and above|or more)/i;

interface Amounts {
  /** The only price of the text; undefined where there are several. */
  price: string | undefined;
  /** The only list price. */
  mrp: string | undefined;
  /** Where the first amount stands. */
  at: number | undefined;
}

/** Finds the price in a text, if it is the only one. */
export function amountsIn(text: string): Amounts {
  const [prices, listed] = [new Set<string>(), new Set<string>()];
  let at: number | undefined;
  for (const match of text.matchAll(AMOUNT)) {
    const amount = toAmount(match[1] ?? match[2] ?? "");
    at ??= match.index;
    const before = text.slice(Math.max(0, match.index - 30), match.index);
    const behind = text.slice(match.index + match[0].length, match.index + match[0].length + 20);
    if (amount === undefined || BEHIND.test(behind)) {
      continue;
    }
    if (LISTED.test(before)) {
      listed.add(amount);
    } else if (!BEFORE.test(before)) {
      prices.add(amount);
    }
  }
  const only = (amounts: Set<string>) => (amounts.size === 1 ? [...amounts][0] : undefined);
  return { price: only(prices), mrp: only(listed), at };
}

/** Reads an amount like 1,499.00, ₹1,23,456 or Rs. 999; undefined for anything else, or nothing. */
export function toAmount(text: string): string | undefined {
  const plain = text
    .trim()
    .replace(/^(₹|rs\.?|inr)\s*/i, "")
    .replace(/\s*(\/-|₹)$/, "");
  if (!/^(\d+|\d{1,3}(,\d{2,3})*,\d{3})(\.\d{1,2})?$/.test(plain)) {
    return undefined;
  }
  const amount = Number(plain.replaceAll(",", ""));
  return amount > 0 ? String(amount) : undefined;
}
