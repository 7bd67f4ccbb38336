import { Formik, type FormikHelpers, useFormikContext } from "formik";
import { type ReactNode, useEffect } from "react";
import type { AnyObjectSchema } from "yup";
import { CATEGORIES, cardOf, type Product } from "../../api/products";
import { type ProductFormValues, toInput } from "../../schemas/product";
import { toNumber } from "../../schemas/values";
import { Confirm } from "../../ui/dialog";
import { Field, SelectField, TextAreaField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { useLeaveGuard } from "../../ui/leave-guard";
import { ProductCard } from "../product-card";
import { keepDraft } from "./draft";
import { DuplicateLink } from "./duplicate-link";
import { ImageFields } from "./image-fields";
import { LifetimeFields } from "./lifetime-fields";
import { OfferFields } from "./offer-fields";
import { PriceFields, pricesOf } from "./price-fields";

interface ProductFormProps {
  initial: ProductFormValues;
  schema: AnyObjectSchema;
  /** Under which name what is typed is kept until it is sent. */
  draft: string;
  /** The `updatedAt` of the version that is being changed. */
  version?: string;
  /** The product that is being changed, whose own link is no duplicate. */
  own?: string;
  error: string | undefined;
  submit: string;
  pending: string;
  onSubmit: (values: ProductFormValues, helpers: FormikHelpers<ProductFormValues>) => Promise<void>;
  /** What stands above the form, like a word about a newer version. */
  children?: ReactNode;
}

/** The fields of a product, with the card as it will look beside them. */
export function ProductForm({
  initial,
  schema,
  draft,
  version = "",
  own,
  error,
  submit,
  pending,
  onSubmit,
  children,
}: ProductFormProps) {
  return (
    <Formik
      initialValues={initial}
      initialTouched={{}}
      validationSchema={schema}
      onSubmit={onSubmit}
      enableReinitialize
    >
      <div className="wide:grid wide:grid-cols-[minmax(0,30rem)_minmax(0,20rem)] wide:gap-12">
        <div>
          {children}
          <Draft name={draft} version={version} />
          <LeavingAsks />
          <Form error={error} submit={submit} pending={pending}>
            <Field name="title" label="Title" autoComplete="off" />
            <TextAreaField name="description" label="Description" />
            <PriceFields />
            <SelectField name="category" label="Category">
              <option value="">Choose…</option>
              {CATEGORIES.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </SelectField>
            <Field name="source" label="Source" placeholder="Amazon" autoComplete="off" />
            <Field
              name="affiliateLink"
              label="Affiliate link"
              type="url"
              inputMode="url"
              autoComplete="off"
            />
            <DuplicateLink own={own} />
            <ImageFields />
            <div className="grid grid-cols-2 gap-3">
              <Field
                name="averageRating"
                label="Average rating"
                hint="0 to 5"
                inputMode="decimal"
                autoComplete="off"
              />
              <Field name="totalRatings" label="Total ratings" inputMode="numeric" autoComplete="off" />
            </div>
            <OfferFields />
            <LifetimeFields />
          </Form>
        </div>
        <Preview />
      </div>
    </Formik>
  );
}

function Preview() {
  const { values } = useFormikContext<ProductFormValues>();
  const number = (text: string) => toNumber(text) || 0;
  const { status: _, startsAt: __, endsAt: ___, offers: ____, ...input } = toInput(values);
  const product: Product = {
    ...input,
    _id: "preview",
    title: values.title || "Title",
    source: values.source || "…",
    ...pricesOf(values),
    category: CATEGORIES.find((category) => category === values.category) ?? "Electronics",
    clicks: 0,
    ratings: { averageRating: number(values.averageRating), totalRatings: number(values.totalRatings) },
    createdAt: "",
    updatedAt: "",
  };
  return (
    <section aria-label="Preview" className="pt-8 wide:sticky wide:top-4 wide:self-start wide:pt-0">
      <h2 className="pb-3 text-sm font-semibold">As it will look</h2>
      {/* Nothing in it can be pressed: it is a picture of a card. */}
      <ul inert className="cards max-w-80 grid-cols-1">
        <li>
          <ProductCard product={cardOf(product)} place="below" preview />
        </li>
      </ul>
    </section>
  );
}

/** Keeps what is typed, so that a reload or an ended session loses nothing. */
function Draft({ name, version }: { name: string; version: string }) {
  const { values, dirty } = useFormikContext<ProductFormValues>();
  useEffect(() => {
    if (dirty) {
      keepDraft(name, { values, version });
    }
  }, [name, version, values, dirty]);
  return null;
}

function LeavingAsks() {
  const { dirty, isSubmitting } = useFormikContext<ProductFormValues>();
  const { asking, leave, stay } = useLeaveGuard(dirty && !isSubmitting);
  if (!asking) {
    return null;
  }
  return (
    <Confirm title="Leave without saving?" confirm="Leave" cancel="Stay" onConfirm={leave} onCancel={stay}>
      What you typed is kept in this browser and is there when you come back.
    </Confirm>
  );
}
