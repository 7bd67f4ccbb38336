import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { object } from "yup";
import { failureText, fieldErrors } from "../../../api/failure";
import { useOverview } from "../../../api/office/overview";
import { changeSettings, useSettings } from "../../../api/office/settings";
import type { ShopSettings, Step } from "../../../api/types";
import { maxShopName, maxTagline } from "../../../lib/constants.json";
import { line } from "../../../schemas/shop";
import { useShowShop } from "../../../shop/shop";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/form/field";
import { Form } from "../../../ui/form/form";
import { Notice } from "../../../ui/notice";
import { useToast } from "../../../ui/toast/toast";
import { AccentField } from "../accent-field";
import { LogoField } from "../logo-field";
import type { Save } from "../save";

const schema = object({
  name: line("The name", maxShopName).test("least", "Please enter a name.", (value) => Boolean(value)),
  tagline: line("The tagline", maxTagline),
});

export function NameStep({ step }: { step: Step }) {
  const { data, error, mutate } = useSettings();
  const { mutate: mutateSteps } = useOverview();
  const toast = useToast();
  const showShop = useShowShop();
  if (!data) {
    return error ? (
      <Notice title="The settings could not be loaded.">
        <Button onClick={() => void mutate()}>Retry</Button>
      </Notice>
    ) : (
      <p className="hint">Loading...</p>
    );
  }
  const save: Save = async (change) => {
    try {
      const saved = await changeSettings(data.version, change);
      showShop(saved.shop);
      await mutate(saved, { revalidate: false });
      await mutateSteps();
      toast({ title: "Settings saved" });
      return undefined;
    } catch (failure) {
      // After a conflict the next try is based on the newest version.
      await mutate();
      return { text: failureText(failure), fields: fieldErrors(failure) };
    }
  };
  return (
    <>
      <Name settings={data} isNamed={step.done} save={save} />
      <LogoField logo={data.shop.mark} own={data.ownMark} save={save} />
      <AccentField accent={data.accent} save={save} />
    </>
  );
}

interface NameProps {
  settings: ShopSettings;
  /** Without a name of its own, the shop has the default one. */
  isNamed: boolean;
  save: Save;
}

function Name({ settings: { shop }, isNamed, save }: NameProps) {
  const [error, setError] = useState<string>();
  const [initial] = useState({ name: isNamed ? shop.name : "", tagline: shop.tagline });
  const submit = async (values: typeof initial, { setErrors }: FormikHelpers<typeof initial>) => {
    setError(undefined);
    const refusal = await save({ name: values.name.trim(), tagline: values.tagline.trim() });
    if (refusal) {
      setErrors(refusal.fields);
      setError(refusal.text);
    }
  };
  return (
    <Formik initialValues={initial} validationSchema={schema} onSubmit={submit}>
      <Form error={error} submit="Save" pending="Saving...">
        <Field name="name" label="Name" hint="On every page, up to 40 characters" autoComplete="off" />
        <Field name="tagline" label="Tagline" hint="One line above the deals" autoComplete="off" />
      </Form>
    </Formik>
  );
}
