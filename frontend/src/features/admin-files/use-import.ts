import { useCallback, useEffect, useMemo, useState } from "react";
import { failureText } from "../../api/failure";
import { useCatalogueChanges } from "../../api/office/catalogue-changes";
import {
  AUTOMATIC,
  type FileChoice,
  refusedRows,
  rehearseImport,
  useFilePreview,
} from "../../api/office/files";
import type { ImportReport, Mapping } from "../../api/types";
import { saveFile } from "../../lib/device/save-file";
import { count } from "../../lib/rupees";
import { useToast } from "../../ui/toast/toast";
import { type MappingValues, mappingOf, valuesOf } from "./mapping/values";

/** Milliseconds without a change after which the rows are shown anew. */
const PAUSE = 400;
/** Size in bytes of a file that is not sent with each change, but on request. */
const LARGE = 4_000_000;

/** A mapping that was changed here and is not saved. */
interface Edit {
  values: MappingValues;
  /** The last valid one. */
  mapping: Mapping;
  valid: boolean;
}

/** The file that is imported, how it is read, and what the server says about it. */
export function useImport() {
  const { importFile } = useCatalogueChanges();
  const toast = useToast();
  const [file, setFile] = useState<File>();
  const [choice, setChoice] = useState<FileChoice>(AUTOMATIC);
  // By the mapping that was changed, so that another choice loses none.
  const [edits, setEdits] = useState<Record<string, Edit>>({});
  const [applied, setApplied] = useState<Record<string, Mapping>>({});
  const [report, setReport] = useState<ImportReport>();
  const [failure, setFailure] = useState<string>();
  const [working, setWorking] = useState(false);

  const { format, mapping: name } = choice;
  const key = `${format}/${name}`;
  const edit = edits[key];
  const given = useMemo(() => ({ ...AUTOMATIC, format, mapping: name }), [format, name]);
  const base = useFilePreview(file, given, undefined);
  const shown = useFilePreview(base.data && file, choice, applied[key], true);
  const preview = base.data && shown.data;
  const mapping = edit?.mapping;
  const isLarge = file !== undefined && file.size > LARGE;
  const settled = mapping === applied[key];
  const error = base.error ?? shown.error;

  const show = useCallback(() => {
    if (mapping) {
      setApplied((before) => ({ ...before, [key]: mapping }));
    }
  }, [key, mapping]);
  useEffect(() => {
    if (!isLarge && !settled) {
      const timer = setTimeout(show, PAUSE);
      return () => clearTimeout(timer);
    }
  }, [isLarge, settled, show]);

  const before = useMemo(() => {
    const data = base.data;
    return data?.mapping ? { mapping: data.mapping, values: valuesOf(data.mapping, data) } : undefined;
  }, [base.data]);
  const change = useCallback(
    (values: MappingValues, valid: boolean) => {
      if (before) {
        setReport(undefined);
        setEdits((edits) => {
          const last = edits[key]?.mapping ?? before.mapping;
          const mapping = valid ? mappingOf(values, before.values, before.mapping) : last;
          return { ...edits, [key]: { values, mapping, valid } };
        });
      }
    },
    [before, key],
  );

  const run = async (work: (file: File) => Promise<void>) => {
    if (!file) {
      return;
    }
    setWorking(true);
    setFailure(undefined);
    try {
      await work(file);
    } catch (failure) {
      setFailure(failureText(failure));
    } finally {
      setWorking(false);
    }
  };
  const read = (by: FileChoice) => {
    setChoice(by);
    setReport(undefined);
    setFailure(undefined);
  };
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    setEdits({});
    setApplied({});
    read(AUTOMATIC);
  };

  return {
    file,
    choice,
    preview,
    /** Identifies the mapping from which the form begins. */
    key,
    /** Values of the form; none of a file without a mapping. */
    values: edit?.values ?? before?.values,
    mapping: mapping ?? preview?.mapping ?? undefined,
    report,
    error: failure ?? (error === undefined ? undefined : failureText(error)),
    /** The file is being imported or rehearsed. */
    working,
    pending: working || base.isValidating || shown.isValidating,
    /** The rows are those of the mapping in the form, without a mistake. */
    ready: settled && edit?.valid !== false && error === undefined,
    invalid: edit?.valid === false,
    isLarge,

    choose,
    read,
    change,
    show,

    /** Goes on with the mapping that was saved by this name. */
    useSaved: (saved: string) => {
      const without = <T>(all: Record<string, T>) =>
        Object.fromEntries(Object.entries(all).filter(([of]) => of !== key && of !== `${format}/${saved}`));
      setEdits(without);
      setApplied(without);
      read({ ...choice, mapping: saved });
    },

    /** Goes on with the same rules after their saved mapping was deleted. */
    forget: (deleted: string) => {
      if (deleted === name && preview?.mapping && before) {
        const kept = edit ?? { values: before.values, mapping: preview.mapping, valid: true };
        setEdits({ ...edits, [`${format}/`]: kept });
        setApplied({ ...applied, [`${format}/`]: kept.mapping });
        read({ ...choice, mapping: "" });
      }
    },

    rehearse: () => run(async (file) => setReport(await rehearseImport(file, choice, mapping))),

    confirm: () =>
      run(async (file) => {
        const done = await importFile(file, choice, mapping);
        choose(undefined);
        toast({ title: `${count(done.added)} added, ${count(done.updated)} changed` });
      }),

    /** Saves the refused rows on the device. */
    download: () =>
      run(async (file) => {
        saveFile("refused.csv", await refusedRows(file, choice, mapping));
      }),
  };
}

export type ImportState = ReturnType<typeof useImport>;
