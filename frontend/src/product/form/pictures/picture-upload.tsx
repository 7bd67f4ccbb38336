import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { classNames } from "../../../ui/class-names";
import { FileButton } from "../../../ui/form/file-button";
import { usePictureUpload } from "./use-picture-upload";

/** Pictures from this device: chosen, dropped, pasted, or taken with the camera. */
export function PictureUpload() {
  const id = useId();
  const { upload, waiting, failures } = usePictureUpload();
  const [over, setOver] = useState(false);
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
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  const choose = (input: HTMLInputElement) => {
    take(input.files);
    // The same file may be chosen again.
    input.value = "";
  };
  return (
    // The fields within are what the keyboard reaches.
    // biome-ignore lint/a11y/noStaticElementInteractions: only dropping needs the area
    <div
      className={classNames(
        "grid grid-cols-1 gap-2 rounded border border-field border-dashed p-4",
        over && "border-accent bg-accent-bg",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor={`${id}-files`} className="text-sm text-ink-2">
        Pictures from this device
        <span className="hidden [@media(hover:hover)]:inline">, chosen, dropped or pasted here</span>
      </label>
      <p className="flex flex-wrap items-center gap-3">
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
    </div>
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
