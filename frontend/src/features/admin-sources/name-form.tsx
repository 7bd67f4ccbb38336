import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { object } from "yup";
import { failureText, fieldErrors } from "../../api/failure";
import { useSourceChanges } from "../../api/office/sources";
import { counted } from "../../lib/rupees";
import { line } from "../../schemas/shop";
import { fields } from "../../shop/fields.json";
import { Confirm } from "../../ui/dialog";
import { Field } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { useToast } from "../../ui/toast/toast";

const schema = object({
  name: line("The name", fields.source.most).required("Please enter the seller's new name."),
});

interface NameFormProps {
  source: string;
  /** Names of the other sellers. */
  others: string[];
}

/** Gives a seller another name. With that of another seller, the two become one. */
export function NameForm({ source, others }: NameFormProps) {
  const { rename } = useSourceChanges();
  const toast = useToast();
  const [error, setError] = useState<string>();
  // The seller into which this one is to be merged.
  const [into, setInto] = useState<string>();
  const save = async (name: string, setErrors: FormikHelpers<{ name: string }>["setErrors"]) => {
    setError(undefined);
    setInto(undefined);
    try {
      const { products } = await rename(source, name);
      toast({ title: `${counted(products, "deal is", "deals are")} of ${name} now` });
      // The row is gone.
      document.querySelector("h1")?.focus();
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };
  return (
    <Formik
      initialValues={{ name: source }}
      validationSchema={schema}
      onSubmit={async ({ name }, { setErrors }) => {
        const wanted = name.trim();
        if (others.includes(wanted)) {
          setInto(wanted);
        } else if (wanted !== source) {
          await save(wanted, setErrors);
        }
      }}
    >
      {({ setErrors }) => (
        <Form error={error} submit="Save name" pending="Saving...">
          <Field
            name="name"
            label={`Name of ${source}`}
            hint="Old links and files keep working. Type another seller’s name to merge the two."
            autoComplete="off"
            list="other-sellers"
          />
          <datalist id="other-sellers">
            {others.map((other) => (
              <option key={other} value={other} />
            ))}
          </datalist>
          {into !== undefined && (
            <Confirm
              title={`Merge ${source} into ${into}?`}
              confirm="Merge them"
              onConfirm={() => void save(into, setErrors)}
              onCancel={() => setInto(undefined)}
            >
              <p>
                All deals and offers of {source} become those of {into}, with what {into} shows and its tag.
                They can't be separated afterwards.
              </p>
            </Confirm>
          )}
        </Form>
      )}
    </Formik>
  );
}
