import { useId, useState } from "react";
import { failureText } from "../../api/failure";
import { previewImport, useCatalogueChanges } from "../../api/office/catalogue-changes";
import type { ImportReport } from "../../api/types";
import { count } from "../../lib/rupees";
import { Button } from "../../ui/button";
import { Block } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";

export function ImportPanel() {
  const { importFile } = useCatalogueChanges();
  const toast = useToast();
  const id = useId();
  const [file, setFile] = useState<File>();
  const [report, setReport] = useState<ImportReport>();
  const [error, setError] = useState<string>();
  const [round, setRound] = useState(0);
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

  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    if (!chosen) {
      // A file field can only be emptied by a new one.
      setRound((before) => before + 1);
    }
    setReport(undefined);
    setError(undefined);
    if (chosen) {
      void run(async () => setReport(await previewImport(chosen)));
    }
  };

  const confirm = () =>
    run(async () => {
      if (file) {
        const done = await importFile(file);
        choose(undefined);
        toast({ title: `${count(done.added)} added, ${count(done.updated)} changed` });
      }
    });

  return (
    <Block title="Import a file" className="stack">
      <label htmlFor={id} className="text-sm text-ink-2">
        A JSON array of products, or one product per line
      </label>
      <input
        key={round}
        id={id}
        type="file"
        accept=".json,.ndjson,.jsonl,application/json"
        disabled={pending}
        onChange={(event) => choose(event.target.files?.[0])}
        className="file-field"
      />
      <div role="status" className="text-sm empty:hidden">
        {pending && "Reading the file…"}
        {report && file && !pending && <Preview name={file.name} report={report} />}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {report && !pending && (
        <div className="flex gap-2">
          {report.added + report.updated > 0 && (
            <Button variant="primary" onClick={() => void confirm()}>
              {report.skipped > 0 ? "Import the valid rows" : "Import"}
            </Button>
          )}
          <Button onClick={() => choose(undefined)}>Cancel</Button>
        </div>
      )}
    </Block>
  );
}

function Preview({ name, report }: { name: string; report: ImportReport }) {
  return (
    <>
      <p className="break-words">
        {`${name}: ${count(report.added)} will be added, ${count(report.updated)} changed, ${count(report.unchanged)} stay as they are, ${count(report.skipped)} ${report.skipped === 1 ? "is" : "are"} refused.`}
      </p>
      {report.problems.length > 0 && (
        <ul className="pt-2 text-ink-2">
          {report.problems.map(({ row, field, message }) => (
            <li key={`${row} ${field}`}>{`Row ${row}: ${field}: ${message}`}</li>
          ))}
          {report.moreProblems > 0 && <li>{`… and ${count(report.moreProblems)} more`}</li>}
        </ul>
      )}
    </>
  );
}
