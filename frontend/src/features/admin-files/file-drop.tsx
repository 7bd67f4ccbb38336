import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { saveFile } from "../../lib/device/save-file";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { FileButton } from "../../ui/form/file-button";
import { EXAMPLE } from "./example";

const ACCEPTED = ".csv,.tsv,.txt,.xlsx,.xml,.json,.ndjson,.jsonl,.gz,.zip";

interface FileDropProps {
  file: File | undefined;
  onChoose: (file: File | undefined) => void;
}

/** A file field onto which a file can be dropped. */
export function FileDrop({ file, onChoose }: FileDropProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!file && input.current) {
      input.current.value = "";
    }
  }, [file]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) {
      onChoose(dropped);
    }
  };
  return (
    // The field within is what the keyboard reaches.
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
      <p className="font-semibold">
        A file of products
        <span className="hidden [@media(hover:hover)]:inline">, chosen or dropped here</span>
      </p>
      <label htmlFor={id} className="text-sm text-ink-2">
        CSV, Excel, Google Merchant or RSS feed, Shopify, WooCommerce or JSON; also in gzip or zip
      </label>
      <p className="flex items-center gap-3">
        <FileButton
          ref={input}
          id={id}
          text="Choose a file"
          accept={ACCEPTED}
          onChange={(event) => onChoose(event.target.files?.[0])}
        />
        {file?.name}
      </p>
      {!file && (
        <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-ink-2">
          Nothing is saved before you press Import.
          <Button onClick={() => saveFile("example.csv", new Blob([EXAMPLE]))}>Example file</Button>
        </p>
      )}
    </div>
  );
}
