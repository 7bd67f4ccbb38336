import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { object } from "yup";
import { fetchPalette, useSettings } from "../../../api/office/settings";
import type { ShopSettings, Step } from "../../../api/types";
import { maxShopName, maxTagline } from "../../../lib/constants.json";
import { line } from "../../../schemas/shop";
import { showColours } from "../../../shop/colours";
import { FIELD_PAIRS, Field } from "../../../ui/form/field";
import { Form } from "../../../ui/form/form";
import { Loaded } from "../../../ui/loaded";
import { LogoField } from "../logo-field";
import { ColourChoice, DEFAULT_COLOUR } from "../looks/colour-choice";
import type { Save } from "../save";
import { useSave } from "./use-save";

const schema = object({
  name: line("The name", maxShopName).test("least", "Please enter a name.", (value) => Boolean(value)),
  tagline: line("The tagline", maxTagline),
});

export function NameStep({ step, next }: { step: Step; next: string }) {
  const call = useSettings();
  return (
    <Loaded call={call} failure="The settings could not be loaded.">
      {(data) => <Name settings={data} step={step} next={next} />}
    </Loaded>
  );
}

interface NameProps {
  settings: ShopSettings;
  step: Step;
  next: string;
}

function Name({ settings: data, step, next }: NameProps) {
  const navigate = useNavigate();
  const save = useSave();
  return (
    <>
      <Looks settings={data} isNamed={step.done} save={save} onSaved={() => void navigate(next)} />
      <LogoField logo={data.shop.mark} own={data.ownMark} save={save} />
    </>
  );
}

interface LooksProps {
  settings: ShopSettings;
  /** Without a name of its own, the shop has the default one. */
  isNamed: boolean;
  save: Save;
  onSaved: () => void;
}

/** Name, tagline and colour, with a preview of all three. */
function Looks({ settings: { shop, accent }, isNamed, save, onSaved }: LooksProps) {
  const [error, setError] = useState<string>();
  const [initial] = useState({
    name: isNamed ? shop.name : "",
    tagline: shop.tagline,
    accent: accent ?? DEFAULT_COLOUR,
  });
  const submit = async (values: typeof initial, { setErrors }: FormikHelpers<typeof initial>) => {
    setError(undefined);
    const isNew = values.accent !== initial.accent;
    const refusal = await save({
      name: values.name.trim(),
      tagline: values.tagline.trim(),
      ...(isNew && { accent: values.accent }),
    });
    if (refusal) {
      setErrors(refusal.fields);
      setError(refusal.text);
      return;
    }
    if (isNew) {
      // Without them the page has the colours from its next visit.
      await fetchPalette(values.accent).then(showColours, () => undefined);
    }
    onSaved();
  };
  return (
    <Formik initialValues={initial} validationSchema={schema} onSubmit={submit}>
      {({ values, setFieldValue }) => (
        <Form error={error} submit="Save and continue" pending="Saving..." wide>
          <div className={FIELD_PAIRS}>
            <Field name="name" label="Name" hint="On every page, up to 40 characters" autoComplete="off" />
            <Field name="tagline" label="Tagline" hint="One line above the deals" autoComplete="off" />
          </div>
          <h3>Colour</h3>
          <ColourChoice
            colour={values.accent}
            onChange={(colour) => void setFieldValue("accent", colour)}
            isDefault={accent === null}
            name={values.name.trim()}
            tagline={values.tagline.trim()}
          />
        </Form>
      )}
    </Formik>
  );
}
