import { useFormikContext } from "formik";
import { useId, useState } from "react";
import { failureText } from "../../../api/failure";
import { addPicture } from "../../../api/office/pictures";
import { DropArea, DropHint } from "../../../ui/form/drop-area";
import { Field } from "../../../ui/form/field";
import { FileButton } from "../../../ui/form/file-button";

/** Address of a picture, which an upload fills in. */
export function PictureField({ name }: { name: string }) {
  const { setFieldValue } = useFormikContext();
  const id = useId();
  const [state, setState] = useState("");
  const [failure, setFailure] = useState("");
  const upload = async (files: FileList | null) => {
    const file = files?.[0];
    if (!file) {
      return;
    }
    setState("Uploading a picture…");
    setFailure("");
    try {
      await setFieldValue(name, await addPicture(file));
    } catch (error) {
      setFailure(failureText(error));
    }
    setState("");
  };
  return (
    <div className="grid gap-3">
      <DropArea onDrop={(files) => void upload(files)}>
        <label htmlFor={id} className="text-sm text-ink-2">
          Picture from this device
          <DropHint>, chosen or dropped here</DropHint>
        </label>
        <FileButton
          id={id}
          text="Choose a picture"
          accept="image/*"
          onChange={({ target }) => {
            void upload(target.files);
            // The same file may be chosen again.
            target.value = "";
          }}
        />
        <p role="status" className="text-sm empty:hidden">
          {state}
        </p>
        <p role="alert" className="text-sm text-danger empty:hidden">
          {failure}
        </p>
      </DropArea>
      <Field name={name} label="Address of the picture" autoComplete="off" />
    </div>
  );
}
