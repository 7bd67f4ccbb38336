/** Signs and abbreviations of the rupee. */
const RUPEES = /₹|₨|\brs\b\.?|\binr\b|\brupees?\b|रु(?:पये|\.)?/giu;
/** Words that stand beside an amount and are no currency. */
const PLAIN = /m\.?r\.?p\.?|price|only|now|deal|offer|special|incl\w*|of|all|taxes|\/-|[:\s*()[\]~–-]/giu;
const NUMBER = /\d[\d., '\u00a0\u2009\u202f]*/gu;

/**
 * Returns the amount in rupees of a text that is one, like 1,299.00, ₹1 299 or 1.299,00 as a plain
 * number; nothing for another currency, a range, or a number that can be read in two ways.
 */
export function rupees(value: unknown): string {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value : "";
  const numbers = [...new Set((text.match(NUMBER) ?? []).map(plainNumber))];
  const rest = text.replace(NUMBER, "").replace(RUPEES, "").replace(PLAIN, "");
  return numbers.length === 1 && rest === "" ? (numbers[0] ?? "") : "";
}

/** Returns the only amount with a sign of the rupee in what a page shows; nothing for a range. */
export function shownRupees(text: string): string {
  const found = text.match(/(?:₹|₨|\brs\b\.?|\binr\b)\s*\d[\d.,]*(?![\d%])|\d[\d.,]*\s*\/-/giu) ?? [];
  const amounts = [...new Set(found.map(rupees))];
  return amounts.length === 1 ? (amounts[0] ?? "") : "";
}

/** Returns true if a text names another currency than the rupee. */
export function isForeign(currency: unknown): boolean {
  const text = String(currency ?? "").trim();
  return text !== "" && text.replace(RUPEES, "").replace(/[\s.]/g, "") !== "";
}

/** Returns a written number without its groups; nothing for one like 1.299, which has two readings. */
function plainNumber(written: string): string {
  const text = written.replace(/[\s'\u00a0\u2009\u202f]/gu, "").replace(/[.,]+$/, "");
  const grouped = /^\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/.test(text);
  const plain = /^\d+(?:\.\d{1,2}|\.\d{4,})?$/.test(text) || /^\d{4,}\.\d{3}$/.test(text);
  const comma = /^\d{1,3}(?:\.\d{3})+,\d{1,2}$|^\d+,\d{1,2}$/.test(text);
  const number =
    grouped || plain
      ? Number(text.replaceAll(",", ""))
      : comma
        ? Number(text.replaceAll(".", "").replace(",", "."))
        : 0;
  return number > 0 ? String(Math.round(number * 100) / 100) : "";
}

/** Returns stars of five from a value, and the best one that its scale allows. */
export function stars(value: unknown, best?: unknown): string {
  const text = String(value ?? "").replace(/(\d),(\d)/, "$1.$2");
  const [, number, ownBest] = /(\d+(?:\.\d+)?)(?:\s*(?:\/|out of|%)\s*(\d+)?)?/.exec(text) ?? [];
  const scale = Number(ownBest ?? best) || (/%/.test(text) ? 100 : 5);
  const rating = Math.round((Number(number) / scale) * 500) / 100;
  return rating > 0 && rating <= 5 ? String(rating) : "";
}

/** Returns a count like 24,269 ratings, (1.2k) or 3 Lakh. */
export function count(shown: unknown): string {
  const text = String(shown ?? "");
  const [, number = "", unit = ""] = /(\d[\d,]*(?:\.\d+)?)\s*(k|lakh|l\b|m\b)?/i.exec(text) ?? [];
  const times = { k: 1e3, l: 1e5, lakh: 1e5, m: 1e6 }[unit.toLowerCase()] ?? 1;
  const all = Math.round(Number(number.replaceAll(",", "")) * times);
  return number !== "" && all > 0 ? String(all) : "";
}
