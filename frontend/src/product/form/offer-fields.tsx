import plus from "icon:plus";
import { FieldArray, useFormikContext } from "formik";
import type { ReactNode } from "react";
import { maxOffers } from "../../lib/constants.json";
import { EMPTY_OFFER, OFFER_KINDS, type OfferValues } from "../../schemas/offers";
import type { ProductFormValues } from "../../schemas/product";
import { fields } from "../../shop/fields.json";
import { Button } from "../../ui/button";
import { Checkbox } from "../../ui/form/choices";
import { FIELD_PAIRS, Field, SelectField } from "../../ui/form/field";
import { QuickEnds, TimeField } from "../../ui/form/time-field";
import { Icon } from "../../ui/icon";

export function OfferFields() {
  const { values } = useFormikContext<ProductFormValues>();
  return (
    <FieldArray name="offers">
      {({ push, remove }) => (
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-1 text-sm font-semibold">{fields.offers.label}</legend>
          {values.offers.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
            <OfferRow key={index} index={index} onRemove={() => remove(index)} />
          ))}
          <Button
            onClick={() => push(EMPTY_OFFER)}
            disabled={values.offers.length >= maxOffers}
            className="self-start"
          >
            <Icon of={plus} />
            Add offer
          </Button>
        </fieldset>
      )}
    </FieldArray>
  );
}

function OfferRow({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { values } = useFormikContext<ProductFormValues>();
  return (
    <fieldset className="panel flex flex-col gap-3">
      <legend className="sr-only">{`Offer ${index + 1}`}</legend>
      <OfferInputs of={values.offers[index] ?? EMPTY_OFFER} prefix={`offers[${index}].`}>
        <Button onClick={onRemove}>Remove offer</Button>
      </OfferInputs>
    </fieldset>
  );
}

interface OfferInputsProps {
  of: OfferValues;
  /** Beginning of the names of its fields in the form. */
  prefix: string;
  /** Above the end. */
  start?: ReactNode;
  /** Beside the last input. */
  children?: ReactNode;
}

/** The inputs of an offer. */
export function OfferInputs({ of: offer, prefix, start, children }: OfferInputsProps) {
  const { setFieldValue } = useFormikContext();
  const name = (field: string) => `${prefix}${field}`;
  const number = (field: string, label: string, unit: string) => (
    <Field name={name(field)} label={label} unit={unit} inputMode="decimal" autoComplete="off" />
  );
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <SelectField name={name("kind")} label="Kind">
          {OFFER_KINDS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <Field name={name("code")} label="Code" autoComplete="off" />
      </div>
      <Field
        name={name("text")}
        label="Who can use it"
        placeholder={offer.kind === "coupon" ? "New customers" : "HDFC card"}
        autoComplete="off"
      />
      <div className="grid grid-cols-2 items-end gap-3">
        {number("percent", "Percent off", "%")}
        {number("amount", "or rupees off", "₹")}
        {number("cap", "Maximum discount", "₹")}
        {number("minOrder", "Minimum order", "₹")}
      </div>
      <div className={start === undefined ? undefined : FIELD_PAIRS}>
        {start}
        <TimeField name={name("endsAt")} label="Ends" unset="never ends" />
      </div>
      <QuickEnds name={name("endsAt")} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Checkbox
          checked={offer.instant}
          onChange={({ target }) => void setFieldValue(name("instant"), target.checked)}
        >
          Instant discount: taken off when paying, not as cashback
        </Checkbox>
        {children}
      </div>
    </>
  );
}
