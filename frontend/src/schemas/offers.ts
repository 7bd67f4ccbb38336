import { mixed, ValidationError } from "yup";
import type { Offer } from "../api/types";
import { maxOfferCode, maxOffers, maxOfferText } from "../lib/constants.json";
import {
  hasTwoDecimals,
  isLeftOut,
  isMoney,
  timeOf,
  toMoney,
  toNumber,
  unclearMoney,
  zoneRule,
} from "./values";

// Rules of coupons and other offers, the same as the server's.

/** Returns the field and message of the first rule that an offer breaks. */
export function offerProblem(offer: Record<string, unknown>): [string, string] | undefined {
  const text = (name: string) => (typeof offer[name] === "string" ? String(offer[name]).trim() : "");
  const number = (name: string) => (isLeftOut(offer[name]) ? undefined : toNumber(offer[name]));
  const isAmount = (name: string) => {
    const value = isLeftOut(offer[name]) ? undefined : toMoney(offer[name]);
    return value === undefined || (isMoney(value) && value > 0);
  };
  const [code, words, percent] = [text("code"), text("text"), number("percent")];
  const wrong = ["amount", "cap", "minOrder"].find((name) => !isAmount(name));
  const rules: [boolean, string, string][] = [
    [
      OFFER_KINDS.some(({ value }) => value === offer.kind),
      "kind",
      "The kind must be one of coupon, bank, exchange, cashback, emi, other.",
    ],
    [
      Array.from(code).length <= maxOfferCode && !/\s/.test(code),
      "code",
      "A code has at most 40 characters and no spaces.",
    ],
    [offer.kind !== "coupon" || code !== "", "code", "A coupon needs its code."],
    [Array.from(words).length <= maxOfferText, "text", "An offer's text must be at most 200 characters."],
    [offer.kind === "coupon" || words !== "", "text", "Say whose offer it is, like HDFC card."],
    [
      wrong === undefined,
      wrong ?? "",
      unclearMoney(offer[wrong ?? ""]) ?? `${wrong} must be rupees above 0, with at most 2 decimals.`,
    ],
    [
      percent === undefined || (percent > 0 && percent <= 100 && hasTwoDecimals(percent)),
      "percent",
      "percent must be above 0 and at most 100, with at most 2 decimals.",
    ],
    [percent === undefined || number("amount") === undefined, "amount", "Give percent or amount, not both."],
    [percent !== undefined || number("cap") === undefined, "cap", "A cap needs a percent that it limits."],
    [
      isLeftOut(offer.instant) || typeof offer.instant === "boolean",
      "instant",
      "instant must be true or false.",
    ],
    [isLeftOut(offer.endsAt) || !Number.isNaN(timeOf(offer.endsAt)), "endsAt", zoneRule("end")],
  ];
  const broken = rules.find(([holds]) => !holds);
  return broken && [broken[1], broken[2]];
}

export const OFFER_KINDS = [
  { value: "coupon", label: "Coupon" },
  { value: "bank", label: "Bank offer" },
  { value: "exchange", label: "Exchange" },
  { value: "cashback", label: "Cashback" },
  { value: "emi", label: "EMI" },
  { value: "other", label: "Other" },
];

export const offers = mixed()
  .nullable()
  .test("offers", (value, context) => {
    if (isLeftOut(value)) {
      return true;
    }
    if (!Array.isArray(value)) {
      return context.createError({ message: "Offers must be a list." });
    }
    if (value.length > maxOffers) {
      return context.createError({ message: "At most 8 offers are allowed." });
    }
    const found = value.flatMap((offer: unknown, index) => {
      if (typeof offer !== "object" || offer === null || Array.isArray(offer)) {
        return [[`offers[${index}]`, "An offer must be a JSON object."]];
      }
      const problem = offerProblem(offer as Record<string, unknown>);
      return problem ? [[`offers[${index}].${problem[0]}`, problem[1]]] : [];
    });
    return (
      found.length === 0 ||
      new ValidationError(found.map(([path, message]) => new ValidationError(message ?? "", value, path)))
    );
  });

export interface OfferValues {
  kind: string;
  code: string;
  text: string;
  percent: string;
  amount: string;
  cap: string;
  minOrder: string;
  instant: boolean;
  endsAt: string;
}

export const EMPTY_OFFER: OfferValues = {
  kind: "coupon",
  code: "",
  text: "",
  percent: "",
  amount: "",
  cap: "",
  minOrder: "",
  instant: true,
  endsAt: "",
};

/** Returns the offer to send. */
export function toOffer(values: OfferValues) {
  return {
    ...values,
    percent: toNumber(values.percent),
    amount: toMoney(values.amount),
    cap: toMoney(values.cap),
    minOrder: toMoney(values.minOrder),
    endsAt: values.endsAt || null,
  };
}

export function fromOffer(offer: Offer): OfferValues {
  return {
    kind: offer.kind,
    code: offer.code ?? "",
    text: offer.text ?? "",
    percent: String(offer.percent ?? ""),
    amount: String(offer.amount ?? ""),
    cap: String(offer.cap ?? ""),
    minOrder: String(offer.minOrder ?? ""),
    instant: offer.instant ?? false,
    endsAt: offer.endsAt ?? "",
  };
}
