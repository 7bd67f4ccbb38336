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
import type { FilePreview, ImportReport, Mapping } from "../../api/types";
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

/**
 * Mappings that were changed here, by the one from which each began, so that another choice loses none; and
 * what the last rehearsal said about them.
 */
function useEdits(key: string, data: FilePreview | undefined, isLarge: boolean) {
  const [edits, setEdits] = useState<Record<string, Edit>>({});
  const [applied, setApplied] = useState<Record<string, Mapping>>({});
  const [report, setReport] = useState<ImportReport>();
  const edit = edits[key];
  const mapping = edit?.mapping;
  const settled = mapping === applied[key];

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

  const before = useMemo(
    () => (data?.mapping ? { mapping: data.mapping, values: valuesOf(data.mapping, data) } : undefined),
    [data],
  );
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
  const drop = (isDropped: (key: string) => boolean) => {
    const without = <T>(all: Record<string, T>) =>
      Object.fromEntries(Object.entries(all).filter(([of]) => !isDropped(of)));
    setEdits(without);
    setApplied(without);
  };
  const set = (key: string, edit: Edit) => {
    setEdits({ ...edits, [key]: edit });
    setApplied({ ...applied, [key]: edit.mapping });
  };
  return { edit, applied: applied[key], settled, before, report, setReport, show, change, drop, set };
}

/** Work on the file: one at a time, with the sentence about what failed. */
function useWork(file: File | undefined) {
  const [failure, setFailure] = useState<string>();
  const [working, setWorking] = useState(false);
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
  return { failure, setFailure, working, run };
}

/** Previews of the file by the server: with the mapping of the choice, and with the changed one. */
function usePreviews(file: File | undefined, choice: FileChoice) {
  const { format, mapping: name } = choice;
  const key = `${format}/${name}`;
  const given = useMemo(() => ({ ...AUTOMATIC, format, mapping: name }), [format, name]);
  const base = useFilePreview(file, given, undefined);
  const isLarge = file !== undefined && file.size > LARGE;
  const edits = useEdits(key, base.data, isLarge);
  const shown = useFilePreview(base.data && file, choice, edits.applied, true);
  const error = base.error ?? shown.error;
  const preview = base.data && shown.data;
  return { key, isLarge, edits, error, preview, pending: base.isValidating || shown.isValidating };
}

/** Result of an import, and a function that returns its refused rows. */
export interface Imported {
  name: string;
  report: ImportReport;
  refused: () => Promise<Blob>;
}

/** The file that is imported, how it is read, and what the server says about it. */
export function useImport() {
  const { importFile } = useCatalogueChanges();
  const toast = useToast();
  const [done, setDone] = useState<Imported>();
  const [file, setFile] = useState<File>();
  const [choice, setChoice] = useState<FileChoice>(AUTOMATIC);
  const { failure, setFailure, working, run } = useWork(file);

  const { format, mapping: name } = choice;
  const { key, isLarge, edits, error, preview, pending } = usePreviews(file, choice);
  const { edit, before, settled, show, change, report, setReport } = edits;
  const mapping = edit?.mapping;

  const read = (by: FileChoice) => {
    setChoice(by);
    setReport(undefined);
    setFailure(undefined);
  };
  const choose = (chosen: File | undefined) => {
    setDone(undefined);
    setFile(chosen);
    edits.drop(() => true);
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
    done,
    error: failure ?? (error === undefined ? undefined : failureText(error)),
    /** The file is being imported or rehearsed. */
    working,
    pending: working || pending,
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
      edits.drop((of) => of === key || of === `${format}/${saved}`);
      read({ ...choice, mapping: saved });
    },

    /** Goes on with the same rules after their saved mapping was deleted. */
    forget: (deleted: string) => {
      if (deleted === name && preview?.mapping && before) {
        const kept = edit ?? { values: before.values, mapping: preview.mapping, valid: true };
        edits.set(`${format}/`, kept);
        read({ ...choice, mapping: "" });
      }
    },

    rehearse: () => run(async (file) => setReport(await rehearseImport(file, choice, mapping))),

    confirm: () =>
      run(async (file) => {
        const report = await importFile(file, choice, mapping);
        choose(undefined);
        toast({ title: `${count(report.added)} added, ${count(report.updated)} changed` });
        setDone({ name: file.name, report, refused: () => refusedRows(file, choice, mapping) });
      }),

    /** Saves the refused rows on the device. */
    download: () =>
      run(async (file) => {
        saveFile("refused.csv", await refusedRows(file, choice, mapping));
      }),
  };
}

export type ImportState = ReturnType<typeof useImport>;
