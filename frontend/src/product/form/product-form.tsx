import { Formik, type FormikHelpers, useFormikContext } from "formik";
import { type ComponentProps, type ReactNode, useEffect } from "react";
import type { AnyObjectSchema } from "yup";
import type { Card, Product } from "../../api/types";
import { excerpt } from "../../lib/constants.json";
import { truncate } from "../../lib/truncate";
import type { ProductFormValues } from "../../schemas/product";
import { toNumber } from "../../schemas/values";
import { fields } from "../../shop/fields.json";
import { PRODUCT_FIELDS } from "../../shop/product-fields";
import { FORM_LINES } from "../../shop/product-lines";
import { Confirm } from "../../ui/dialog";
import { FIELD_PAIRS, Field, TextAreaField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { FormSaveBar } from "../../ui/form/form-save-bar";
import { useLeaveGuard } from "../../ui/form/leave-guard";
import { ProductCard } from "../card/product-card";
import { TagField } from "../office/tag-field";
import { ProductPicture } from "../product-picture";
import { CategoryField, type CategorySuggestion } from "./capture/category-field";
import { storeDraft } from "./draft";
import { DuplicateLink } from "./duplicate-link";
import { ImageFields } from "./image-fields";
import { LifetimeFields } from "./lifetime-fields";
import { LinkNote } from "./link-note";
import { OfferFields } from "./offer-fields";
import { PriceFields, pricesOf } from "./price-fields";

interface ProductFormProps {
  initial: ProductFormValues;
  schema: AnyObjectSchema;
  draft: string;
  /** `updatedAt` of the version that is being changed. */
  version?: string;
  /** Values of that version. */
  base?: ProductFormValues | undefined;
  /** The product that is being changed, whose own link is no duplicate. */
  own?: Product;
  error: string | undefined;
  submit: string;
  pending: string;
  /** For a new product. */
  category?: CategorySuggestion;
  /** The link came from outside: a deal with the same one is named at once. */
  givenLink?: boolean;
  /** Another way to submit, below the fields. */
  beside?: ReactNode;
  onSubmit: (values: ProductFormValues, helpers: FormikHelpers<ProductFormValues>) => Promise<void>;
  /** The initial values are a draft. */
  drafted: boolean;
  /** Goes back to what is saved, and returns how to undo that. */
  onDiscard: () => () => void;
  children?: ReactNode;
}

const NOTHING = {};
const GIVEN_LINK = { affiliateLink: true };

export function ProductForm({
  initial,
  schema,
  draft,
  version = "",
  base,
  own,
  error,
  submit,
  pending,
  category,
  givenLink = false,
  beside,
  onSubmit,
  drafted,
  onDiscard,
  children,
}: ProductFormProps) {
  return (
    <Formik
      initialValues={initial}
      initialTouched={givenLink ? GIVEN_LINK : NOTHING}
      validationSchema={schema}
      onSubmit={onSubmit}
      enableReinitialize
    >
      <div className="grid grid-cols-1 gap-8 wide:grid-cols-[minmax(0,48rem)_minmax(0,20rem)]">
        <div>
          {children}
          <Draft name={draft} version={version} base={base} />
          <FormSaveBar unsaved={drafted} onDiscard={onDiscard} kept submit={submit} pending={pending} />
          <LeavingAsks />
          <Form error={error} wide bar>
            <div className="panel">
              <Line
                name="affiliateLink"
                type="url"
                inputMode="url"
                hint="Link to the product's page at the seller"
              />
              <LinkNote />
              <DuplicateLink own={own?._id} />
              <Line name="title" />
              <TextAreaField
                name="description"
                label={fields.description.label}
                hint={`${fields.description.least} characters or more`}
              />
              <PriceFields />
              <div className={FIELD_PAIRS}>
                <CategoryField suggestion={category} />
                <Line name="source" placeholder="Amazon" />
              </div>
              <TagField />
              {FORM_LINES.map(([name]) => (
                <Line key={name} name={name} />
              ))}
            </div>
            <div className="panel">
              <ImageFields />
            </div>
            <div className="panel">
              <div className="grid grid-cols-2 gap-3">
                <Line name="averageRating" hint="0 to 5; leave empty if none" inputMode="decimal" />
                <Line name="totalRatings" hint="Leave empty if none" inputMode="numeric" />
              </div>
              <OfferFields />
            </div>
            <div className="panel">
              <LifetimeFields />
            </div>
            {beside}
          </Form>
        </div>
        <Preview of={own} />
      </div>
    </Formik>
  );
}

/** An input of one line with the label of its field. */
function Line(props: Omit<ComponentProps<typeof Field>, "label">) {
  return <Field label={PRODUCT_FIELDS[props.name]?.label ?? props.name} autoComplete="off" {...props} />;
}

function Preview({ of: own }: { of: Product | undefined }) {
  const { values } = useFormikContext<ProductFormValues>();
  const number = (text: string) => toNumber(text) || 0;
  const prices = pricesOf(values);
  const known = own !== undefined || (values.title.trim() !== "" && prices.price > 0);
  const isOwnPrice = own?.price === prices.price && own.finalPrice === prices.finalPrice;
  const card: Card = {
    ...prices,
    ...(own?.verdict && isOwnPrice && { verdict: own.verdict }),
    _id: "preview",
    title: values.title || "Title",
    excerpt: truncate(values.description.trim(), excerpt),
    image: values.images[0]?.trim() ?? "",
    source: values.source || "…",
    affiliateLink: values.affiliateLink,
    category: values.category,
    clicks: own?.clicks ?? 0,
    createdAt: own?.publishedAt ?? own?.createdAt ?? new Date().toISOString(),
    ratings: { averageRating: number(values.averageRating), totalRatings: number(values.totalRatings) },
  };
  return (
    <section aria-label="Preview" className="top-4 min-w-0 max-w-80 self-start wrap-anywhere wide:sticky">
      <h2 className="display pb-3 text-lg">How it will look</h2>
      {known ? (
        // Inert: only a picture of a card.
        <ul inert className="cards grid-cols-1">
          <li>
            <ProductCard product={card} preview />
          </li>
        </ul>
      ) : (
        <>
          <ProductPicture src={undefined} alt="" category={values.category} className="max-wide:hidden" />
          <p className="hint pt-3">Fill in title and price to see its card.</p>
        </>
      )}
    </section>
  );
}

/** Stores a draft while typing, so that a reload or an ended session loses nothing. */
function Draft({ name, version, base }: { name: string; version: string; base: ProductFormProps["base"] }) {
  const { values, dirty } = useFormikContext<ProductFormValues>();
  useEffect(() => {
    if (dirty) {
      storeDraft(name, { values, version, ...(base ? { base } : {}) });
    }
  }, [name, version, base, values, dirty]);
  return null;
}

function LeavingAsks() {
  const { dirty, isSubmitting } = useFormikContext<ProductFormValues>();
  const { asking, leave, stay } = useLeaveGuard(dirty && !isSubmitting);
  if (!asking) {
    return null;
  }
  return (
    <Confirm title="Leave this form?" confirm="Leave" cancel="Stay" onConfirm={leave} onCancel={stay}>
      What you typed is not published yet. This browser keeps it until you come back.
    </Confirm>
  );
}
