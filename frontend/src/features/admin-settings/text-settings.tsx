import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { shopSchema } from "../../schemas/shop";
import type { Shop } from "../../shop/shop";
import { Field } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import type { Save } from "./save";

const NAMES = ["name", "tagline", "disclosure", "contact", "telegram", "whatsapp", "instagram"] as const;

type Values = Record<(typeof NAMES)[number], string>;

/** The settings that are a line of text. */
export function TextSettings({ shop, save }: { shop: Shop; save: Save }) {
  const [error, setError] = useState<string>();
  const [initial] = useState<Values>(() => {
    const { name, tagline, disclosure, contact, telegram, whatsapp, instagram } = shop;
    return { name, tagline, disclosure, contact, telegram, whatsapp, instagram };
  });
  const submit = async (values: Values, { setErrors, resetForm }: FormikHelpers<Values>) => {
    setError(undefined);
    // Only what was typed: the rest may be the program's own words, which are no setting.
    const changed = NAMES.filter((name) => values[name].trim() !== initial[name]);
    const refusal = await save(Object.fromEntries(changed.map((name) => [name, values[name].trim()])));
    if (refusal) {
      setErrors(refusal.fields);
      setError(refusal.text);
    } else {
      resetForm({ values });
    }
  };
  return (
    <section className="panel">
      <h2>Name and contact</h2>
      <Formik initialValues={initial} validationSchema={shopSchema} onSubmit={submit}>
        <Form error={error} submit="Save" pending="Saving...">
          <Field name="name" label="Name" hint="On every page, up to 40 characters" autoComplete="off" />
          <Field name="tagline" label="Tagline" hint="One line above the deals" autoComplete="off" />
          <Field name="disclosure" label="How the shop earns" autoComplete="off" />
          <Field name="contact" label="Contact" type="email" inputMode="email" autoComplete="off" />
          <Field name="telegram" label="Telegram" type="url" inputMode="url" placeholder="https://t.me/…" />
          <Field name="whatsapp" label="WhatsApp" type="url" inputMode="url" placeholder="https://wa.me/…" />
          <Field
            name="instagram"
            label="Instagram"
            type="url"
            inputMode="url"
            placeholder="https://instagram.com/…"
          />
        </Form>
      </Formik>
    </section>
  );
}
