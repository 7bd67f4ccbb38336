import { Formik } from "formik";
import { useCollectionChanges } from "../../api/office/collections";
import type { Collection } from "../../api/types";
import { maxCollection, maxCollectionText } from "../../lib/constants.json";
import { fromField, toField, unsetHint } from "../../lib/time";
import { PictureField } from "../../product/form/pictures/picture-field";
import { EMPTY_RULE, RuleFields, ruleOf, ruleValues } from "../../product/office/rule-fields";
import { useSaving } from "../../session/use-saving";
import { Checkbox } from "../../ui/form/checkbox";
import { Field, SelectField, TextAreaField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { ChosenDeals } from "./chosen-deals";

const EMPTY = {
  name: "",
  slug: "",
  text: "",
  picture: "",
  kind: "rule",
  ...EMPTY_RULE,
  products: [] as string[],
  startsAt: "",
  endsAt: "",
  onHome: false,
  inMenu: false,
};

type Values = typeof EMPTY;

function valuesOf({ rule, products, ...collection }: Collection): Values {
  return {
    ...EMPTY,
    ...collection,
    ...ruleValues(rule),
    products,
    startsAt: collection.startsAt ?? "",
    endsAt: collection.endsAt ?? "",
    kind: rule === null ? "chosen" : "rule",
  };
}

interface CollectionFormProps {
  /** The collection to change; without it, one is added. */
  of?: Collection;
  onDone?: () => void;
}

/** The form of a collection. */
export function CollectionForm({ of, onDone }: CollectionFormProps) {
  const { add, change } = useCollectionChanges();
  const { submit, error } = useSaving(
    (values: Values) => {
      const { name, slug, text, picture, startsAt, endsAt, onHome, inMenu, kind, products } = values;
      const deals = kind === "rule" ? { rule: ruleOf(values), products: [] } : { rule: "", products };
      const input = { name, slug, text, picture, startsAt, endsAt, onHome, inMenu, ...deals };
      return of ? change(of, input) : add(input);
    },
    ({ name }) => `“${name.trim()}” is ${of ? "changed" : "added"}`,
    onDone,
  );
  return (
    <Formik initialValues={of ? valuesOf(of) : EMPTY} onSubmit={submit}>
      {({ values, setFieldValue }) => {
        const flag = (name: "onHome" | "inMenu", label: string) => (
          <span className="flex items-center text-sm">
            <Checkbox label={label} checked={values[name]} onChange={(on) => void setFieldValue(name, on)} />
            <span aria-hidden>{label}</span>
          </span>
        );
        const time = (name: "startsAt" | "endsAt", label: string, unset: string) => (
          <Field
            name={name}
            label={label}
            hint={unsetHint(values[name], unset)}
            type="datetime-local"
            value={toField(values[name])}
            onChange={(event) => void setFieldValue(name, fromField(event.target.value))}
          />
        );
        return (
          <Form error={error} submit={of ? "Save" : "Add collection"} pending="Saving...">
            <Field name="name" label="Name" autoComplete="off" maxLength={maxCollection} />
            <Field
              name="slug"
              label="Address"
              hint="Last part of its address; made of the name if it is empty"
              autoComplete="off"
            />
            <TextAreaField
              name="text"
              label="Text"
              hint="Markdown; may be empty"
              maxLength={maxCollectionText}
            />
            <PictureField name="picture" />
            <SelectField name="kind" label="Deals">
              <option value="rule">What a rule finds</option>
              <option value="chosen">Chosen one by one</option>
            </SelectField>
            {values.kind === "rule" ? (
              <RuleFields />
            ) : (
              <ChosenDeals
                chosen={values.products}
                onChange={(products) => void setFieldValue("products", products)}
              />
            )}
            <div className="grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-4">
              {time("startsAt", "Starts (India)", "at once")}
              {time("endsAt", "Ends (India)", "never")}
            </div>
            <div className="flex flex-wrap gap-3">
              {flag("onHome", "On the home page")}
              {flag("inMenu", "In the menu")}
            </div>
          </Form>
        );
      }}
    </Formik>
  );
}
