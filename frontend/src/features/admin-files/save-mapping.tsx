import { Form, Formik, type FormikHelpers } from "formik";
import { object, string } from "yup";
import { failureText } from "../../api/failure";
import { useMappingChanges, useMappings } from "../../api/office/files";
import type { Mapping } from "../../api/types";
import { Button } from "../../ui/button";
import { Field } from "../../ui/form/field";
import { Block } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";

function schema(presets: readonly string[]) {
  const message = "This is the name of a format: choose another.";
  return object({
    name: string()
      .trim()
      .notOneOf([...presets, "auto"], message),
  });
}

interface SaveMappingProps {
  mapping: Mapping;
  disabled: boolean;
  onSaved: (name: string) => void;
  onDeleted: (name: string) => void;
}

/** Saves how this file was read, for the next one of its kind. */
export function SaveMapping({ mapping, disabled, onSaved, onDeleted }: SaveMappingProps) {
  const { data } = useMappings();
  const { save, remove } = useMappingChanges();
  const toast = useToast();
  const attempt = async (work: () => Promise<void>, done: string) => {
    try {
      await work();
      toast({ title: done });
      return true;
    } catch (failure) {
      toast({ title: "That did not work", description: failureText(failure), failure: true });
      return false;
    }
  };
  const submit = async ({ name }: { name: string }, { resetForm }: FormikHelpers<{ name: string }>) => {
    const wanted = name.trim();
    if (await attempt(() => save(wanted, mapping), `Saved as ${wanted}`)) {
      resetForm();
      onSaved(wanted);
    }
  };
  const erase = async (name: string) => {
    if (await attempt(() => remove(name), `Deleted ${name}`)) {
      onDeleted(name);
    }
  };
  return (
    <Block title="Keep these column settings" className="stack">
      <Formik
        initialValues={{ name: "" }}
        validationSchema={schema(data?.presets ?? [])}
        validateOnBlur={false}
        onSubmit={submit}
      >
        {({ values, isSubmitting }) => (
          <Form noValidate className="stack max-w-[30rem]">
            <Field name="name" label="Name" autoComplete="off" maxLength={60} />
            <div>
              <Button type="submit" disabled={disabled || isSubmitting || values.name.trim() === ""}>
                {data?.saved.includes(values.name.trim()) ? "Replace the saved one" : "Save column settings"}
              </Button>
            </div>
          </Form>
        )}
      </Formik>
      {data !== undefined && data.saved.length > 0 && (
        <ul className="grid gap-1 text-sm">
          {data.saved.map((saved) => (
            <li key={saved} className="flex items-center justify-between gap-2">
              <span className="min-w-0 break-words">{saved}</span>
              <Button
                variant="plain"
                aria-label={`Delete the column settings ${saved}`}
                onClick={() => void erase(saved)}
              >
                Delete
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}
