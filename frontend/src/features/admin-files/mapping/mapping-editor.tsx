import { Formik } from "formik";
import { useState } from "react";
import type { FilePreview } from "../../../api/types";
import { CategoryTable } from "../category-table";
import type { ImportState } from "../use-import";
import { MappingForm } from "./mapping-form";
import { mappingSchema } from "./schema";
import { type MappingValues, withCounterparts } from "./values";

interface MappingEditorProps {
  state: ImportState;
  preview: FilePreview;
  values: MappingValues;
}

/** The mapping of the file as a form, and its categories without a counterpart. */
export function MappingEditor(props: MappingEditorProps) {
  const { file, key } = props.state;
  return <Editor key={`${file?.name} ${file?.lastModified} ${key}`} {...props} />;
}

function Editor({ state, preview, values }: MappingEditorProps) {
  // Later values come from the form itself.
  const [initial] = useState(values);
  return (
    <Formik initialValues={initial} validationSchema={mappingSchema} onSubmit={state.show}>
      {({ values, setFieldValue }) => (
        <>
          <MappingForm
            preview={preview}
            onRequest={state.isLarge}
            pending={state.pending}
            onChange={state.change}
          />
          {preview.categories.length > 0 && (
            <CategoryTable
              categories={preview.categories}
              disabled={state.pending}
              withDefault={state.choice.category !== ""}
              onMap={(counterparts) => {
                const table = withCounterparts(values.category?.table ?? [], counterparts);
                void setFieldValue("category.table", table);
              }}
            />
          )}
        </>
      )}
    </Formik>
  );
}
