import { Formik } from "formik";
import { useSellerOfferChanges } from "../../api/office/sources";
import type { SellerOffer } from "../../api/types";
import { OfferInputs } from "../../product/form/offer-fields";
import { EMPTY_OFFER, fromOffer, offerProblem, toOffer } from "../../schemas/offers";
import { toNumber } from "../../schemas/values";
import { useSaving } from "../../session/use-saving";
import { pathOf } from "../../shop/categories";
import { useShop } from "../../shop/shop";
import { Button } from "../../ui/button";
import { FIELD_PAIRS, Field, SelectField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { TimeField } from "../../ui/form/time-field";

const EMPTY = { ...EMPTY_OFFER, category: "", minPrice: "", startsAt: "" };

type Values = typeof EMPTY;

function valuesOf(offer: SellerOffer): Values {
  return {
    ...fromOffer(offer),
    category: offer.category ?? "",
    minPrice: String(offer.minPrice ?? ""),
    startsAt: offer.startsAt ?? "",
  };
}

function problemsOf(values: Values): Record<string, string> {
  const problem = offerProblem({ ...values });
  return problem ? { [problem[0]]: problem[1] } : {};
}

interface OfferFormProps {
  source: string;
  /** The offer to change; without it, one is added. */
  of?: SellerOffer;
  onDone: () => void;
}

/** The form of a seller's offer. */
export function OfferForm({ source, of, onDone }: OfferFormProps) {
  const { save } = useSellerOfferChanges(source);
  const { categories } = useShop();
  const { submit, error } = useSaving(
    (values: Values) => {
      const { category, startsAt, minPrice } = values;
      const offer = {
        ...toOffer(values),
        category: category || null,
        minPrice: toNumber(minPrice),
        startsAt: startsAt || null,
      } as Parameters<typeof save>[1];
      return save(of?.id, offer);
    },
    () => (of ? "The offer is changed" : `The offer is added to ${source}`),
    onDone,
  );
  return (
    <Formik initialValues={of ? valuesOf(of) : EMPTY} validate={problemsOf} onSubmit={submit}>
      {({ values }) => (
        <Form
          error={error}
          submit={of ? "Save offer" : "Add offer"}
          pending="Saving..."
          beside={<Button onClick={onDone}>Cancel</Button>}
        >
          <OfferInputs
            of={values}
            prefix=""
            start={<TimeField name="startsAt" label="Starts" unset="starts at once" />}
          />
          <div className={FIELD_PAIRS}>
            <SelectField name="category" label="For deals of the category">
              <option value="">All categories</option>
              {categories.map((category) => (
                <option key={category.name} value={category.name}>
                  {pathOf(category)}
                </option>
              ))}
            </SelectField>
            <Field
              name="minPrice"
              label="For deals that cost at least"
              unit="₹"
              inputMode="decimal"
              autoComplete="off"
            />
          </div>
        </Form>
      )}
    </Formik>
  );
}
