const NUMBER = String.raw`\d+(?:,\d{2,3})*(?:\.\d{1,2})?`;
/** Thousands, lakhs and crores, as in 2k, 1.3L and 5 lakh. */
const UNIT = String.raw`(?:\s?(k|l|lakhs?|lacs?|cr|crores?)(?!\p{L}))?`;
const BEFORE_SIGN = String.raw`(?:₹|₨|(?<!\p{L})(?:rs|inr)(?!\p{L})\.?|रु\.?|(?<![\p{L}\d])@)\s*`;
const BEHIND_SIGN = String.raw`\s*(?:\/-|(?:₹|(?:rs|inr)(?!\p{L})\.?)(?!\s*\d)|(?:rupees?|bucks)(?!\p{L})|रुपये|रुपए|रु\.?)`;
/** Words after which a number is a price without a sign, where nothing follows that it counts. */
const LEAD = String.raw`(?<=(?:only|just|sirf|price|m\.?r\.?p\.?|मात्र|केवल|सिर्फ)\s*(?:is\s*)?[:=–-]?\s*)`;
const ENDS = String.raw`(?=\s*(?:$|[\n.,;!)|]|only|me(?:in)?(?!\p{L})|में|\p{Extended_Pictographic}))`;

const AMOUNT = new RegExp(
  `${BEFORE_SIGN}(${NUMBER})${UNIT}(?![\\d.,]*\\d|\\s*%)|(?<![\\d.,\\p{L}])(${NUMBER})${UNIT}${BEHIND_SIGN}|${LEAD}(${NUMBER})${UNIT}${ENDS}`,
  "giu",
);

/** Words directly before a list price. */
const LISTED =
  /(?:m\.?r\.?p|(?<!\p{L})(?:was|worth|earlier|pehle|(?:list|original|regular|old|actual|usual|normal)\s+price)|(?:drop|down|slash|reduc|cut)\w*\s+from|पहले|~)(?:[^\p{L}₹]|is|of|at|just|only)*$/iu;
/** Words before amounts that are no price: savings, conditions, fees, instalments, prizes. */
const BEFORE =
  /(?<!\p{L})(?:saved?|savings?|off|cash ?back|coupons?|vouchers?|flat|up ?to|extra|additional|above|over|under|below|within|from|start(?:s|ing)?|min(?:imum)?|emi|instal+ments?|(?<!free )(?:delivery|shipping)|handling|packing|fees?|charges?|deposit|refund(?:able)?|win|earn|refer|bonus|rewards?|points|exchange|offer(?! price)|wallet|discount|drop|reduced|less|instant|advance|down ?payment|booking|token|per|every|each|last price|previous(?:ly)?(?: price)?|lowest(?: price)?|gift ?card|orders?|cart|purchase|spend|insurance|warranty|bachat|बचत|छूट|कैशबैक|किस्त|शुरू|डिलीवरी|जमा)(?:\s+|[^\p{L}\d₹]|at|is|on|of|for|just|only|as|low|your|the|an?|you|get|now|value|amount|charges?|fees?|se|ki|ka)*$/iu;
/** Words behind amounts that are no price. */
const BEHIND =
  /^(?:\+|[\s)"'*~]{0,3}(?:(?:instant|extra|flat|additional|bank|card|credit|debit|upi|hdfc|icici|sbi|axis|kotak|rbl|amazon|paytm|phonepe|gpay|pay|flipkart|prepaid|max|new|user|ka|ki|का|की)\s+)*(?:off(?!\p{L})|cash ?back|discount|coupon|voucher|bonus|wallet|reward|points|emi(?!\p{L})|per(?!\p{L})|\/(?!-)|a month|p\.?m(?!\p{L})|mo(?!\p{L})|(?:delivery|shipping)(?! free)|deposit|and above|or more|above|onwards?|se (?:shuru|start)|less|kam(?!\p{L})|कम|कैशबैक|छूट|से शुरू|wala|wali|वाला|saved?|savings?|bachat|बचत|each|a piece|gift|instant|down ?payment|advance|refundable))/iu;
/** Words directly before the price that is asked for now, where a text has others. */
const NOW =
  /(?<!\p{L})(?:now|ab(?: sirf)?|(?:deal|offer|sale|special|new|today'?s|current) price|अब)(?:[^\p{L}\d₹]|is|at|only|just|for|sirf)*$/iu;
const RANGE = /^\s*(?:-|–|—|to|se)\s*$/i;

interface Amounts {
  /** The price that is asked for now; undefined where the text leaves it open. */
  price: string | undefined;
  /** The only list price. */
  mrp: string | undefined;
}

interface Amount {
  value: string;
  role: "price" | "now" | "listed" | "other";
}

/** Finds the price in a text, if it is the only one. */
export function amountsIn(text: string): Amounts {
  const all = plainText(text).split("\n").flatMap(amountsOf);
  const of = (...roles: Amount["role"][]) => [
    ...new Set(all.filter((each) => roles.includes(each.role)).map((each) => each.value)),
  ];
  const only = (amounts: string[]) => (amounts.length === 1 ? amounts[0] : undefined);
  const now = only(of("now"));
  const prices = of("price", "now");
  const isLowest = prices.every((each) => Number(now) <= Number(each));
  const hasCondition = /coupon|cash ?back|bank|(credit|debit) card|कूपन/i.test(text);
  return {
    price: only(prices) ?? (isLowest && !hasCondition ? now : undefined),
    mrp: only(of("listed")),
  };
}

function amountsOf(line: string): Amount[] {
  const found = [...line.matchAll(AMOUNT)];
  let end = 0;
  const amounts = found.map((match, at): Amount => {
    const [, first, firstUnit, second, secondUnit, third, thirdUnit] = match;
    const value = inRupees(first ?? second ?? third ?? "", firstUnit ?? secondUnit ?? thirdUnit ?? "");
    const clause = line.slice(end, match.index).split(/(?<=[\p{L}\d)]{2})[.!?;](?=\s)|[|•]/u);
    const before = clause.at(-1) ?? "";
    const stop = match.index + match[0].length;
    const behind = line.slice(stop, found[at + 1]?.index);
    const struck = /~$/.test(before) ? (/^~+/.exec(behind)?.[0] ?? "") : "";
    const condition = struck === "" ? (BEHIND.exec(behind)?.[0] ?? "") : "";
    end = stop + struck.length + condition.length;
    if (struck !== "") {
      return { value, role: "listed" };
    }
    if (condition !== "") {
      return { value, role: "other" };
    }
    if (LISTED.test(before)) {
      return { value, role: "listed" };
    }
    return { value, role: BEFORE.test(before) ? "other" : NOW.test(before) ? "now" : "price" };
  });
  return amounts.map((amount, at) => {
    const next = found[at + 1];
    const previous = found[at - 1];
    const between = (from: RegExpExecArray, to: RegExpExecArray) =>
      line.slice(from.index + from[0].length, to.index);
    const [self] = [found[at]];
    const opens = self && next && RANGE.test(between(self, next)) && amounts[at + 1]?.role === "price";
    const closes =
      self && previous && RANGE.test(between(previous, self)) && amounts[at - 1]?.role !== "listed";
    return amount.role !== "listed" && (opens || closes) ? { ...amount, role: "other" } : amount;
  });
}

/** Returns a text with Latin digits, and with struck letters between tildes. */
function plainText(text: string): string {
  return text
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966))
    .replace(/(?:[^\n]\u0336)+/gu, (found) => `~${found.replaceAll("\u0336", "")}~`)
    .replace(/[\u00a0\u202f]/g, " ");
}

/** Returns the parts of a line around its amounts. */
export function aroundAmounts(line: string): string[] {
  const plain = plainText(line);
  const parts: string[] = [];
  let end = 0;
  for (const match of plain.matchAll(AMOUNT)) {
    parts.push(plain.slice(end, match.index));
    end = match.index + match[0].length;
  }
  // Digits of other scripts stay as they are where there is no amount.
  return parts.length === 0 ? [line] : [...parts, plain.slice(end)];
}

/** Returns what follows the first amount of a line; nothing without one. */
export function behindAmount(line: string): string {
  const plain = plainText(line);
  const [match] = plain.matchAll(AMOUNT);
  return match ? plain.slice(match.index + match[0].length) : "";
}

function inRupees(written: string, unit: string): string {
  const times = /^k/i.test(unit) ? 1e3 : /^l/i.test(unit) ? 1e5 : /^c/i.test(unit) ? 1e7 : 1;
  return String(Math.round(Number(written.replaceAll(",", "")) * times * 100) / 100);
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
