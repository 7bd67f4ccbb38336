import { useFormikContext } from "formik";
import { discountOf, finalPrice, priceBefore } from "../../lib/final-price";
import { rupees } from "../../lib/rupees";
import type { ProductFormValues } from "../../schemas/product";
import { toMoney, toNumber } from "../../schemas/values";
import { fields } from "../../shop/fields.json";
import { Field } from "../../ui/form/field";

/** Price, discount and final price: the third follows from two of them. */
export function PriceFields() {
  const { values, setValues } = useFormikContext<ProductFormValues>();
  const made = pricesOf(values);
  const known = made.price > 0;
  const field = (
    name: "price" | "discount" | "finalPrice",
    unit: string,
    hint: string,
    /** Returns the new value of the field that this one replaces. */
    other?: (text: string) => Partial<ProductFormValues>,
  ) => (
    <Field
      name={name}
      label={fields[name].label}
      unit={unit}
      hint={hint}
      inputMode="decimal"
      autoComplete="off"
      placeholder={known ? String(made[name]) : ""}
      // At once: between two changes the fields would not fit together.
      onChange={({ target }) => void setValues({ ...values, ...other?.(target.value), [name]: target.value })}
    />
  );
  return (
    <>
      <div className="grid grid-cols-3 gap-3">
        {field("price", "₹", "MRP, before the discount")}
        {field("discount", "%", "Or type the final price", () => ({ finalPrice: "" }))}
        {field("finalPrice", "₹", "What a buyer pays", (text) => ({ discount: text === "" ? "0" : "" }))}
      </div>
      <output className="tabular text-sm text-ink-2 empty:hidden">
        {known && made.discount > 0 && values.finalPrice.trim() === "" && (
          <>
            {fields.finalPrice.label}{" "}
            <strong className="font-semibold text-ink">{rupees(made.finalPrice)}</strong>
          </>
        )}
      </output>
    </>
  );
}

/** Returns the three prices as the server will compute them; 0 while unknown. */
export function pricesOf(values: ProductFormValues) {
  let price = toMoney(values.price);
  let discount = toNumber(values.discount);
  let final = toMoney(values.finalPrice);
  if (Number.isNaN(final)) {
    final = finalPrice(price, discount);
  } else if (Number.isNaN(discount)) {
    discount = discountOf(price, final);
  } else if (Number.isNaN(price)) {
    price = priceBefore(final, discount);
  }
  return { price: price || 0, discount: discount || 0, finalPrice: final || 0 };
}
