import { Formik, useFormikContext } from "formik";
import { type ReactNode, useEffect, useRef } from "react";
import { useCollectionChanges } from "../../api/office/collections";
import type { Collection } from "../../api/types";
import { maxCollection, maxCollectionText } from "../../lib/constants.json";
import { fromField, toField, unsetHint } from "../../lib/time";
import { PictureField } from "../../product/form/pictures/picture-field";
import { EMPTY_RULE, FoundByRule, RuleFields, ruleOf, ruleValues } from "../../product/office/rule-fields";
import { useSaving } from "../../session/use-saving";
import { Checkbox } from "../../ui/form/choices";
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

/** Refuses a collection without a name, and one that could have no deal. */
function problems(values: Values): { name?: string; rule?: string; products?: string } {
  const name = values.name.trim() === "" ? { name: "Enter a name." } : {};
  if (values.kind === "chosen") {
    return values.products.length > 0 ? name : { ...name, products: "Choose at least one deal." };
  }
  return ruleOf(values) === "" ? { ...name, rule: "Fill in at least one of these fields." } : name;
}

interface CollectionFormProps {
  /** The collection to change; without it, one is added. */
  of?: Collection;
  onDone?: (name: string) => void;
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
    ({ name }) => onDone?.(name.trim()),
  );
  return (
    <Formik initialValues={of ? valuesOf(of) : EMPTY} validate={problems} onSubmit={submit}>
      {({ values, errors, submitCount, setFieldValue }) => {
        const flag = (name: "onHome" | "inMenu", label: string) => (
          <Checkbox
            checked={values[name]}
            onChange={({ target }) => void setFieldValue(name, target.checked)}
          >
            {label}
          </Checkbox>
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
            <SelectField name="kind" label="Deals">
              <option value="rule">Deals found by a rule</option>
              <option value="chosen">Chosen one by one</option>
            </SelectField>
            {values.kind === "rule" ? (
              <>
                <RuleFields />
                <FoundByRule rule={ruleOf(values)} />
              </>
            ) : (
              <>
                <ChosenDeals
                  chosen={values.products}
                  onChange={(products) => void setFieldValue("products", products)}
                />
                {submitCount > 0 && errors.products !== undefined && (
                  <p role="alert" className="text-sm text-danger">
                    {errors.products}
                  </p>
                )}
              </>
            )}
            <div className="flex flex-wrap gap-3">
              {flag("onHome", "On the home page")}
              {flag("inMenu", "In the menu")}
            </div>
            <More>
              <TextAreaField
                name="text"
                label="Text above the deals"
                hint="Can be left empty; **two stars** make words bold"
                maxLength={maxCollectionText}
              />
              <PictureField name="picture" />
              <div className="grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-4">
                {time("startsAt", "Starts (India)", "starts at once")}
                {time("endsAt", "Ends (India)", "never ends")}
              </div>
              <Field
                name="slug"
                label="Address"
                hint="The end of /collection/…; made from the name if it is empty"
                autoComplete="off"
              />
            </More>
          </Form>
        );
      }}
    </Formik>
  );
}

const IN_MORE = ["text", "picture", "startsAt", "endsAt", "slug"] as const;

/** Fields that most collections do without; open while one of them is wrong. */
function More({ children }: { children: ReactNode }) {
  const { errors } = useFormikContext<Values>();
  const details = useRef<HTMLDetailsElement>(null);
  const wrong = IN_MORE.some((name) => errors[name] !== undefined);
  useEffect(() => {
    if (wrong && details.current) {
      details.current.open = true;
    }
  }, [wrong]);
  return (
    <details ref={details} className="disclosure">
      <summary>
        More <span className="quiet">Text, picture, first and last day, address</span>
      </summary>
      <div className="flex flex-col gap-4 pt-3">{children}</div>
    </details>
  );
}
