import { useEffect, useId, useRef } from "react";
import { saveFile } from "../../lib/device/save-file";
import { Button } from "../../ui/button";
import { DropArea, DropHint } from "../../ui/form/drop-area";
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
  useEffect(() => {
    if (!file && input.current) {
      input.current.value = "";
    }
  }, [file]);
  return (
    <DropArea onDrop={([dropped]) => dropped && onChoose(dropped)}>
      <p className="font-semibold">
        A file of products
        <DropHint>, chosen or dropped here</DropHint>
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
    </DropArea>
  );
}
