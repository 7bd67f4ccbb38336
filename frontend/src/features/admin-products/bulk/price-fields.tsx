import { type ComponentProps, useEffect, useState } from "react";
import { failureText } from "../../../api/failure";
import {
  type BulkChange,
  type PriceChange,
  usePricePreview,
  type Which,
} from "../../../api/office/catalogue-changes";
import type { Product } from "../../../api/types";
import { finalPrice as priceWith } from "../../../lib/final-price";
import { counted, rupees } from "../../../lib/rupees";
import { largeChange } from "../../../product/office/prices/large-change";
import { quoted } from "../../../product/office/row-changes";
import { classNames } from "../../../ui/class-names";
import { Select } from "../../../ui/form/select";

const UNITS = [
  { value: "-percent", label: "% less" },
  { value: "-rupees", label: "₹ less" },
  { value: "+percent", label: "% more" },
  { value: "+rupees", label: "₹ more" },
];

/** An amount as typed, and its unit with its sign. */
export interface TypedChange {
  text: string;
  unit: string;
}

export function readPriceChange({ text, unit }: TypedChange): PriceChange | undefined {
  const amount = Number(text.replaceAll(",", ""));
  if (!(amount > 0 && Number.isFinite(amount))) {
    return undefined;
  }
  return {
    action: "changePrice",
    unit: unit.endsWith("percent") ? "percent" : "rupees",
    value: unit.startsWith("-") ? -amount : amount,
  };
}

/** Returns the first large change of a price among these products, in words. */
export function largeIn(products: readonly Product[], change: BulkChange): string | undefined {
  for (const product of products) {
    const large = largeChange(product.finalPrice, priceAfter(product, change));
    if (large !== undefined) {
      return `${quoted(product)}: ${large}`;
    }
  }
  return undefined;
}

/** Returns a warning if a change may be large for products that were not seen; percents are equal for all. */
export function perhapsLarge(unseen: number, change: BulkChange): string | undefined {
  const differs =
    change.action === "discount" || (change.action === "changePrice" && change.unit === "rupees");
  return unseen > 0 && differs
    ? `${counted(unseen, "deal", "deals")} on other pages may change by half or more`
    : undefined;
}

function priceAfter({ price, finalPrice }: Product, change: BulkChange): number {
  switch (change.action) {
    case "changePrice":
      return change.unit === "percent" ? finalPrice * (1 + change.value / 100) : finalPrice + change.value;
    case "discount":
      return priceWith(price, change.value);
    default:
      return finalPrice;
  }
}

/** An input after its visible label, on a phone in a line of their own. */
export function LabelledInput({ label, className, ...input }: ComponentProps<"input"> & { label: string }) {
  return (
    <label className="flex flex-wrap items-center gap-2 max-mid:basis-full">
      {label}
      <input autoComplete="off" className={classNames("number-field", className)} {...input} />
    </label>
  );
}

interface PriceFieldsProps {
  typed: TypedChange;
  onType: (typed: TypedChange) => void;
}

export function PriceFields({ typed, onType }: PriceFieldsProps) {
  return (
    <>
      <LabelledInput
        label="Amount"
        inputMode="decimal"
        value={typed.text}
        onChange={(event) => onType({ ...typed, text: event.target.value })}
        className="w-28 tabular max-mid:flex-1"
      />
      <Select
        id="bulk-unit"
        name="bulkUnit"
        label="Unit and direction"
        value={typed.unit}
        options={UNITS}
        onChange={(unit) => onType({ ...typed, unit })}
      />
    </>
  );
}

/** Returns a sentence about what a change of prices will do, and whether it can be made. */
export function usePriceSentence(which: Which, change: PriceChange | undefined) {
  const settled = useSettled(change);
  const { data, error, isLoading } = usePricePreview(which, settled);
  if (change === undefined || settled !== change || isLoading) {
    return { sentence: "", ready: false };
  }
  if (error) {
    return { sentence: failureText(error), ready: false, failed: true };
  }
  if (!data?.example) {
    return { sentence: "No price would change.", ready: false };
  }
  const { changed, example } = data;
  const prices = `${rupees(example.from)} → ${rupees(example.to)}`;
  const deals = counted(changed, "deal", "deals");
  const sentence = changed === 1 ? `${deals}: ${prices}` : `${deals}, for example ${prices}`;
  return { sentence, ready: true };
}

/** Milliseconds without typing after which a change is previewed. */
const PAUSE = 300;

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
