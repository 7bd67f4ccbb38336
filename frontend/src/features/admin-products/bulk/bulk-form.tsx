import { type ChangeEvent, type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import type { BulkChange, Which } from "../../../api/office/catalogue-changes";
import type { Product } from "../../../api/types";
import { fromField } from "../../../lib/time";
import { AskLarge } from "../../../product/office/prices/large-change";
import { TagSuggestions, useTagSuggestions } from "../../../product/office/tag-field";
import { tagProblem } from "../../../schemas/tags";
import { useCategoryChoices } from "../../../shop/categories";
import { tagsOf } from "../../../shop/tags";
import { Button } from "../../../ui/button";
import { classNames } from "../../../ui/class-names";
import { Select } from "../../../ui/form/select";
import {
  LabelledInput,
  largeIn,
  PriceFields,
  perhapsLarge,
  readPriceChange,
  usePriceSentence,
} from "./price-fields";

/** A change that needs a value. */
export type Action = "changePrice" | "discount" | "category" | "addTags" | "removeTags" | "setEnd";

const NONE = { value: "", label: "Choose…" };

const FORM = "flex flex-[1_0_100%] flex-wrap items-center gap-2";

interface BulkFormProps {
  action: Action;
  which: Which;
  /** The chosen products that were seen. */
  products: readonly Product[];
  onApply: (change: BulkChange) => void;
  onClose: () => void;
}

/** The value of a change of the selected products. */
export function BulkForm({ action, which, products, onApply, onClose }: BulkFormProps) {
  const categories = useCategoryChoices();
  const isOfTags = action === "addTags" || action === "removeTags";
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState("");
  const suggestions = useTagSuggestions(text, isOfTags);
  const [typed, setTyped] = useState({ text: "", unit: "-percent" });
  const byPrice = useMemo(
    () => (action === "changePrice" ? readPriceChange(typed) : undefined),
    [action, typed],
  );
  const { sentence, ready, failed } = usePriceSentence(which, byPrice);
  const change = action === "changePrice" ? byPrice : read(action, text);
  const unseen = (Array.isArray(which) ? which.length : which.total) - products.length;
  const large = change && (largeIn(products, change) ?? perhapsLarge(unseen, change));
  const [asking, setAsking] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields return after the question
  useEffect(() => form.current?.querySelector<HTMLElement>("input, select")?.focus(), [asking]);
  const typing = {
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setText(event.target.value),
  };
  if (asking && change && large !== undefined) {
    return (
      <fieldset aria-label="Change the selected deals" className={FORM}>
        <AskLarge
          change={large}
          label="the selected deals"
          focused
          onSave={() => onApply(change)}
          onChange={() => setAsking(false)}
        />
      </fieldset>
    );
  }
  return (
    <form
      ref={form}
      aria-label="Change the selected deals"
      className={FORM}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (change && (action !== "changePrice" || ready)) {
          large === undefined ? onApply(change) : setAsking(true);
        }
      }}
    >
      {action === "category" && (
        <Select
          id="bulk-category"
          name="bulkCategory"
          label="New category"
          value={text}
          options={[NONE, ...categories]}
          onChange={setText}
        />
      )}
      {isOfTags && (
        <>
          <LabelledInput
            label={action === "addTags" ? "Tags to add" : "Tags to remove"}
            placeholder="Diwali, hostel"
            className="w-60"
            {...typing}
          />
          <TagSuggestions suggestions={suggestions} onChosen={setText} />
        </>
      )}
      {action === "setEnd" && (
        <>
          <LabelledInput
            label="New end, Indian time; empty for none"
            type="datetime-local"
            className="w-auto"
            {...typing}
          />
          {text === "" && <span>No date: never ends</span>}
        </>
      )}
      {action === "discount" && (
        <LabelledInput
          label="New discount in percent"
          inputMode="decimal"
          placeholder="%"
          className="w-20 tabular"
          {...typing}
        />
      )}
      {action === "changePrice" && <PriceFields typed={typed} onType={setTyped} />}
      <Button
        type="submit"
        variant="primary"
        disabled={change === undefined || (action === "changePrice" && !ready)}
      >
        Apply
      </Button>
      <Button variant="plain" onClick={onClose}>
        Cancel
      </Button>
      {action === "changePrice" && (
        <p
          role="status"
          className={classNames(
            "tabular flex-[1_0_100%] font-normal empty:hidden",
            failed && "rounded bg-surface px-2 text-danger",
          )}
        >
          {sentence}
          {ready && large !== undefined && <b className="block">{large}</b>}
        </p>
      )}
    </form>
  );
}

function read(action: Exclude<Action, "changePrice">, text: string): BulkChange | undefined {
  if (action === "setEnd") {
    return { action, value: fromField(text) || null };
  }
  if (action === "addTags" || action === "removeTags") {
    const value = tagsOf(text);
    return value.length > 0 && tagProblem(value) === undefined ? { action, value } : undefined;
  }
  if (action === "category") {
    return text === "" ? undefined : { action, value: text };
  }
  const discount = Number(text);
  const valid = text.trim() !== "" && discount >= 0 && discount <= 100;
  return valid ? { action: "discount", value: discount } : undefined;
}
