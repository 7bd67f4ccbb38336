import { maxOfferCode, maxOffers } from "../../../lib/constants.json";
import { EMPTY_OFFER, type OfferValues } from "../../../schemas/offers";

/** Words before a code; the second group is the word `code`, after which letters alone are one. */
const LEAD = String.raw`(?<![\p{L}\d])(?:(?:coupon|promo|voucher|discount|offer|कूपन)\s*(code|कोड)|(code|कोड)|coupon|promo|voucher|कूपन)`;
const BETWEEN = String.raw`(?:\s*(?:[:=–>→➡👉-]\ufe0f?|is\b|of\b)+)?\s*["'“‘*\x60_(\[]*`;
const BEHIND_LEAD = new RegExp(
  `${LEAD}${BETWEEN}([A-Za-z0-9][A-Za-z0-9_-]{2,${maxOfferCode - 1}})(?![\\p{L}\\d])`,
  "giu",
);
/** A code before the word: “apply SAVE100 coupon”. */
const BEFORE_LEAD = new RegExp(
  `(?<![\\p{L}\\d₹.,])([A-Z0-9][A-Z0-9_-]{2,${maxOfferCode - 1}})["'”’*\x60_)\\]]*\\s+(?:promo |coupon |discount )?(?:code|coupon|promo|voucher|कूपन|कोड)(?!\\p{L})`,
  "gu",
);
/** “Apply SAVE100”: with letters and digits only. */
const APPLIED = new RegExp(
  `(?<!\\p{L})(?:use|apply|enter)${BETWEEN}([A-Z0-9][A-Z0-9_-]{3,${maxOfferCode - 1}})(?![\\p{L}\\d])`,
  "giu",
);
/** Words in capitals that are no code. */
const WORDS =
  /^(above|add|after|all|also|amount|and|any|apply|at|auto|available|bank|before|below|box|button|buy|card|cashback|cart|checkout|code|collect|coupons?|deal|discount|extra|first|flat|for|from|get|given|here|hurry|inside|it|link|live|loot|max|more|needed|new|no|not|now|off|offer|on|only|option|or|order|page|price|promo|required|same|save|the|then|this|to|use|valid|via|visit|voucher|with|worth|you|your)$/i;

const NUMBER = String.raw`\d+(?:,\d{2,3})*(?:\.\d{1,2})?`;
const RUPEES = String.raw`(?:(?:₹|₨|rs\.?|inr)\s*(${NUMBER})|(${NUMBER})\s*(?:\/-|₹|rs(?!\p{L})\.?|rupees?))`;
const PERCENT = String.raw`(?<![\d.,])(\d{1,2}(?:\.\d{1,2})?|100)\s?%`;
const EXTRA = String.raw`(?:[\s)*]*(?:instant|extra|flat|additional|off|discount)(?!\p{L}))*`;
const CAP = new RegExp(`(?:up\\s?to|max(?:imum)?\\.?(?: discount)?)(?: of)?[\\s:]*${RUPEES}`, "iu");
const LEAST = new RegExp(
  `(?:(?:above|over|min(?:imum)?\\.?|orders? of|purchase of)(?: (?:an?|orders?|purchase|cart|value|spend|of|above))*)[\\s:]*${RUPEES}`,
  "iu",
);
const PERCENT_OFF = new RegExp(PERCENT, "iu");
const AMOUNT_OFF = new RegExp(
  `${RUPEES}(?=[\\s)*]*(?:instant |extra |flat |additional )*(?:off|discount|kam|less|कम|छूट)(?!\\p{L}))`,
  "iu",
);
/** A coupon that is clicked on the product's page: “₹50 coupon”, “coupon of 5%”. */
const CLICKED = new RegExp(
  `(?:${RUPEES}|${PERCENT})${EXTRA}\\s*(?:coupon|voucher|कूपन)|(?<!gift\\s)(?:coupon|voucher|कूपन)\\s+(?:of|worth|for)\\s+(?:${RUPEES}|${PERCENT})`,
  "iu",
);
/** Words of offers by others: what they take off is not the coupon's. */
const BY_BANK = /(?<!\p{L})(?:bank|cards?|upi|emi|cashback|wallet)(?!\p{L})/iu;

/** Returns the coupons that a text names. Everything is a guess, to be checked by the owner. */
export function couponsIn(text: string): OfferValues[] {
  const found = text.split("\n").flatMap(couponsOf);
  const keys = found.map(({ code, amount, percent }) => code || `${amount} ${percent}`);
  return found.filter((_, at) => keys.indexOf(keys[at] ?? "") === at).slice(0, maxOffers);
}

function couponsOf(line: string): OfferValues[] {
  const [code, ...others] = codesIn(line);
  if (code !== undefined) {
    // Which value belongs to which of several codes is not clear.
    const values = others.length === 0 ? valuesOf(code, line) : {};
    return [code, ...others].map((code) => ({ ...EMPTY_OFFER, code, ...values }));
  }
  const clicked = CLICKED.exec(line);
  if (!clicked) {
    return [];
  }
  const [, a, b, percent, c, d, otherPercent] = clicked;
  return [
    {
      ...EMPTY_OFFER,
      kind: "other",
      text: "Coupon on the product's page",
      amount: plain(a ?? b ?? c ?? d),
      percent: percent ?? otherPercent ?? "",
    },
  ];
}

function codesIn(line: string): string[] {
  const inCapitals = !/\p{Ll}/u.test(line);
  const isCode = (code: string, isCalledCode: boolean) =>
    !WORDS.test(code) &&
    (/\d/.test(code) ? /[A-Za-z]/.test(code) : !/[a-z]/.test(code) && (isCalledCode || !inCapitals));
  const behind = [...line.matchAll(BEHIND_LEAD)].map(([, one, other, code = ""]) => ({
    code,
    isCalledCode: Boolean(one || other),
  }));
  const others = [...line.matchAll(BEFORE_LEAD), ...line.matchAll(APPLIED)].map(([, code = ""]) => ({
    code,
    isCalledCode: false,
  }));
  const codes = [...behind, ...others].filter(({ code, isCalledCode }) => isCode(code, isCalledCode));
  return [...new Set(codes.map(({ code }) => code))];
}

/** Returns what a code takes off and its conditions: by the words behind it, or before “with code …”. */
function valuesOf(code: string, line: string): Partial<OfferValues> {
  const at = line.indexOf(code);
  const behind = valuesIn(line.slice(at + code.length).split("|")[0] ?? "");
  if (behind.percent || behind.amount) {
    return behind;
  }
  const before = /^(.*?)(?:with|using|via|by|on applying)(?: \p{L}+){0,3}\W*$/iu.exec(line.slice(0, at));
  return before ? valuesIn(before[1] ?? "") : behind;
}

function valuesIn(words: string): Partial<OfferValues> {
  const [least, most] = [LEAST.exec(words), CAP.exec(words)];
  const minOrder = plain(least?.[1] ?? least?.[2]);
  const rest = words.replace(LEAST, " ").replace(CAP, " ");
  const percent = PERCENT_OFF.exec(rest);
  const amount = AMOUNT_OFF.exec(rest);
  const value = percent ?? amount;
  // A price may have a discount of its own.
  const isUnclear = BY_BANK.test(words) || (value && /\d{2}|₹/.test(rest.replace(value[0], " ")));
  if (!value || isUnclear) {
    return {};
  }
  return percent
    ? { percent: percent[1] ?? "", cap: plain(most?.[1] ?? most?.[2]), minOrder }
    : { amount: plain(amount?.[1] ?? amount?.[2]), minOrder };
}

function plain(amount: string | undefined): string {
  return (amount ?? "").replaceAll(",", "");
}
