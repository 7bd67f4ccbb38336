import { useState } from "react";
import { failureText } from "../../api/failure";
import { useCatalogueChanges } from "../../api/office/catalogue-changes";
import { AUTOMATIC, type FileChoice, previewFile, refusedRows, rehearseImport } from "../../api/office/files";
import type { FilePreview, ImportReport, Mapping } from "../../api/types";
import { count } from "../../lib/rupees";
import { useToast } from "../../ui/toast/toast";

/** The file that is imported, how it is read, and what the server says about it. */
export function useImport() {
  const { importFile } = useCatalogueChanges();
  const toast = useToast();
  const [file, setFile] = useState<File>();
  const [choice, setChoice] = useState<FileChoice>(AUTOMATIC);
  /** Changed here and not saved. */
  const [mapping, setMapping] = useState<Mapping>();
  const [preview, setPreview] = useState<FilePreview>();
  const [report, setReport] = useState<ImportReport>();
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);

  const run = async (work: () => Promise<void>) => {
    setPending(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(failureText(failure));
    } finally {
      setPending(false);
    }
  };

  const look = (at: File | undefined, by: FileChoice, own: Mapping | undefined) => {
    setFile(at);
    setChoice(by);
    setMapping(own);
    setReport(undefined);
    setError(undefined);
    if (!at) {
      setPreview(undefined);
      return;
    }
    void run(async () => {
      try {
        setPreview(await previewFile(at, by, own));
      } catch (failure) {
        setPreview(undefined);
        throw failure;
      }
    });
  };

  return {
    file,
    choice,
    preview,
    report,
    error,
    pending,

    choose: (chosen: File | undefined) => look(chosen, AUTOMATIC, undefined),
    read: (by: FileChoice) => look(file, by, undefined),
    useSaved: (name: string) => look(file, { ...choice, mapping: name }, undefined),

    /** Gives categories of the file counterparts of the shop. */
    mapCategories: (counterparts: Record<string, string>) => {
      const { category, ...fields } = preview?.mapping?.fields ?? {};
      if (preview?.mapping && category) {
        const table = { ...category.table, ...counterparts };
        look(file, choice, { ...preview.mapping, fields: { ...fields, category: { ...category, table } } });
      }
    },

    rehearse: () =>
      run(async () => {
        if (file) {
          setReport(await rehearseImport(file, choice, mapping));
        }
      }),

    confirm: () =>
      run(async () => {
        if (file) {
          const done = await importFile(file, choice, mapping);
          look(undefined, AUTOMATIC, undefined);
          toast({ title: `${count(done.added)} added, ${count(done.updated)} changed` });
        }
      }),

    /** Saves the refused rows on the device. */
    download: () =>
      run(async () => {
        if (file) {
          const link = document.createElement("a");
          link.href = URL.createObjectURL(await refusedRows(file, choice, mapping));
          link.download = "refused.csv";
          link.click();
          URL.revokeObjectURL(link.href);
        }
      }),
  };
}

export type ImportState = ReturnType<typeof useImport>;
