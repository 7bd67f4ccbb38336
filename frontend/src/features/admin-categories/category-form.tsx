import { Formik } from "formik";
import { useCategoryChanges } from "../../api/office/categories";
import type { Category } from "../../api/types";
import { maxCategory, maxCategoryText } from "../../lib/constants.json";
import { ProductPicture } from "../../product/product-picture";
import { useSaving } from "../../session/use-saving";
import { Field, SelectField } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { DrawingField } from "./drawing-field";

const GROUNDS = ["Blue", "Rose", "Sand", "Green", "Violet", "Teal", "Orange", "Grey"];

const EMPTY = { name: "", parent: "", drawing: "package", ground: "4", text: "" };

interface CategoryFormProps {
  all: readonly Category[];
  /** The category to change; without it, one is added. */
  of?: Category;
  onDone?: () => void;
}

/** The form of a category. */
export function CategoryForm({ all, of, onDone }: CategoryFormProps) {
  const { add, change } = useCategoryChanges();
  const top = all.filter(({ parent, slug }) => parent === undefined && slug !== of?.slug);
  const initial = of
    ? {
        ...of,
        ground: String(of.ground),
        parent: all.find(({ name }) => name === of.parent)?.slug ?? "",
      }
    : EMPTY;
  const { submit, error } = useSaving(
    ({ name, parent, drawing, ground, text }: typeof EMPTY) => {
      const values = { name, parent, drawing, text, ground: Number(ground) };
      return of ? change(of, values) : add(values);
    },
    ({ name }) => `“${name.trim()}” is ${of ? "changed" : "added"}`,
    onDone,
  );
  return (
    <Formik initialValues={initial} onSubmit={submit}>
      {({ values }) => (
        <Form error={error} submit={of ? "Save" : "Add category"} pending="Saving...">
          <Field name="name" label="Name" autoComplete="off" maxLength={maxCategory} />
          <SelectField name="parent" label="Part of">
            <option value="">None (main category)</option>
            {top.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </SelectField>
          <DrawingField name="drawing" />
          <SelectField name="ground" label="Background of pictures">
            {GROUNDS.map((name, index) => (
              <option key={name} value={index + 1}>
                {name}
              </option>
            ))}
          </SelectField>
          <ProductPicture
            src={undefined}
            alt=""
            look={{ drawing: values.drawing, ground: Number(values.ground) }}
            className="w-22"
          />
          <Field
            name="text"
            label="Text about it"
            hint="Search engines show it below the title; may be empty"
            autoComplete="off"
            maxLength={maxCategoryText}
          />
        </Form>
      )}
    </Formik>
  );
}
