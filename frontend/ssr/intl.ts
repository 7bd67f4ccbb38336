// The formats of `Intl` that visitors' screens use, which QuickJS does not have; others throw.

const LOCALE = "en-IN";
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
/** Milliseconds by which India's time is ahead. */
const INDIA = 5.5 * 3_600_000;

const RUPEES = { style: "currency", currency: "INR", minimumFractionDigits: 2, maximumFractionDigits: 2 };
const DAY = { day: "numeric", month: "long", year: "numeric", timeZone: "Asia/Kolkata" };

/** Returns true for these options, and throws for any but the known ones. */
function isOf(locale: string, known: object, options: object | undefined): boolean {
  const given = JSON.stringify(options ?? {});
  if (locale !== LOCALE || (given !== JSON.stringify(known) && given !== "{}")) {
    throw new RangeError(`Intl does not know ${locale} with ${given}`);
  }
  return given !== "{}";
}

/** Formats whole numbers, or amounts in rupees, in Indian grouping. */
class NumberFormat {
  readonly #inRupees: boolean;

  constructor(locale: string, options?: Intl.NumberFormatOptions) {
    this.#inRupees = isOf(locale, RUPEES, options);
  }

  format(number: number): string {
    const unit = this.#inRupees ? 100 : 1;
    if (!(number >= 0 && number < 1e15 && Math.round(number * unit) / unit === number)) {
      throw new RangeError(`Intl does not know how to format ${number}`);
    }
    const [whole = "", paise] = number.toFixed(this.#inRupees ? 2 : 0).split(".");
    const grouped = whole.replace(/\B(?=(\d\d)*\d{3}$)/g, ",");
    return paise === undefined ? grouped : `₹${grouped}.${paise}`;
  }
}

/** Formats a day in India, like 1 March 2026. */
class DateTimeFormat {
  constructor(locale: string, options?: Intl.DateTimeFormatOptions) {
    if (!isOf(locale, DAY, options)) {
      throw new RangeError("Intl does not know the usual form of a day");
    }
  }

  format(time: Date): string {
    const there = new Date(time.getTime() + INDIA);
    const year = there.getUTCFullYear();
    if (!(year >= 1000 && year <= 9999)) {
      throw new RangeError("Intl does not know this year");
    }
    return `${there.getUTCDate()} ${MONTHS[there.getUTCMonth()]} ${year}`;
  }
}

/** Chooses the form of an English noun for a number. */
class PluralRules {
  constructor(locale: string, options?: Intl.PluralRulesOptions) {
    if (!locale.startsWith("en") || (options?.type ?? "cardinal") !== "cardinal") {
      throw new RangeError(`Intl does not know the plural of ${locale}`);
    }
  }

  select(number: number): "one" | "other" {
    return number === 1 ? "one" : "other";
  }
}

export const intl = { NumberFormat, DateTimeFormat, PluralRules };
