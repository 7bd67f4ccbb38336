import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { object } from "yup";
import { maxDisclosure, maxShopName, maxTagline } from "../../lib/constants.json";
import {
  contact,
  instagram,
  instagramLink,
  line,
  telegram,
  telegramLink,
  whatsapp,
  whatsappLink,
} from "../../schemas/shop";
import type { Shop } from "../../shop/shop";
import { FIELD_PAIRS, Field } from "../../ui/form/field";
import type { Save } from "./save";
import { SectionForm } from "./sections/section-form";

const schema = object({
  name: line("The name", maxShopName),
  tagline: line("The tagline", maxTagline),
  disclosure: line("The disclosure", maxDisclosure),
  contact,
  telegram,
  whatsapp,
  instagram,
});

type TextName = keyof typeof schema.fields;
type TextValues = Record<TextName, string>;

const NAMES = Object.keys(schema.fields) as TextName[];

export function TextSettings({ shop, save }: { shop: Shop; save: Save }) {
  const [error, setError] = useState<string>();
  const [initial] = useState(() => Object.fromEntries(NAMES.map((name) => [name, shop[name]])) as TextValues);
  const submit = async (typed: TextValues, { setErrors, resetForm }: FormikHelpers<TextValues>) => {
    setError(undefined);
    const values = {
      ...typed,
      telegram: telegramLink(typed.telegram),
      whatsapp: whatsappLink(typed.whatsapp),
      instagram: instagramLink(typed.instagram),
    };
    // Only changed fields: the others may be defaults, which are no setting.
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
      <Formik initialValues={initial} validationSchema={schema} onSubmit={submit}>
        <SectionForm error={error} submit="Save name and contact">
          <div className={FIELD_PAIRS}>
            <Field name="name" label="Name" hint="On every page, up to 40 characters" autoComplete="off" />
            <Field name="tagline" label="Tagline" hint="One line above the deals" autoComplete="off" />
            <div className="mid:col-span-full">
              <Field name="disclosure" label="How the shop earns" autoComplete="off" />
            </div>
            <Field
              name="contact"
              label="Contact"
              hint="An email address for visitors, in the footer"
              type="email"
              inputMode="email"
              autoComplete="off"
            />
            <Field
              name="telegram"
              label="Telegram"
              hint="A name, like @example, or a link"
              placeholder="https://t.me/…"
              autoCapitalize="none"
            />
            <Field
              name="whatsapp"
              label="WhatsApp"
              hint="A number, like 98765 43210, or a link"
              placeholder="https://wa.me/…"
            />
            <Field
              name="instagram"
              label="Instagram"
              hint="A name, like @example, or a link"
              placeholder="https://instagram.com/…"
              autoCapitalize="none"
            />
          </div>
        </SectionForm>
      </Formik>
    </section>
  );
}
