import { useEffect, useId, useRef } from "react";
import { DropArea, DropHint } from "../../../ui/form/drop-area";
import { FileButton } from "../../../ui/form/file-button";
import { usePictureUpload } from "./use-picture-upload";

/** Pictures from this device: chosen, dropped, pasted, or taken with the camera. */
export function PictureUpload() {
  const id = useId();
  const { upload, waiting, failures } = usePictureUpload();
  const take = (files: FileList | null) => void upload([...(files ?? [])]);
  const takePasted = useRef(take);
  takePasted.current = take;
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = event.clipboardData?.files;
      if (files?.length) {
        event.preventDefault();
        takePasted.current(files);
      }
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
  const choose = (input: HTMLInputElement) => {
    take(input.files);
    // The same file may be chosen again.
    input.value = "";
  };
  return (
    <DropArea onDrop={take}>
      <label htmlFor={`${id}-files`} className="text-sm text-ink-2">
        Pictures from this device
        <DropHint>, chosen, dropped or pasted here</DropHint>
      </label>
      <p className="flex flex-wrap gap-3">
        <FileButton
          id={`${id}-files`}
          text="Choose pictures"
          accept="image/*"
          multiple
          onChange={({ target }) => choose(target)}
        />
        <span className="hidden [@media(pointer:coarse)]:inline">
          <FileButton
            id={`${id}-camera`}
            text="Take a photo"
            aria-label="Take a photo"
            accept="image/*"
            capture="environment"
            onChange={({ target }) => choose(target)}
          />
        </span>
      </p>
      <UploadState waiting={waiting} failures={failures} />
    </DropArea>
  );
}

interface UploadStateProps {
  waiting: number;
  failures: readonly string[];
}

/** Says how many pictures are on their way, and which were refused. */
export function UploadState({ waiting, failures }: UploadStateProps) {
  return (
    <>
      <p role="status" className="text-sm empty:hidden">
        {waiting > 0 && `Uploading ${waiting === 1 ? "a picture" : `${waiting} pictures`}…`}
      </p>
      {failures.length > 0 && (
        <ul role="alert" className="text-sm text-danger">
          {failures.map((failure) => (
            <li key={failure}>{failure}</li>
          ))}
        </ul>
      )}
    </>
  );
}
