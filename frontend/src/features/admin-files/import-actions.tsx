import type { FilePreview } from "../../api/types";
import { count } from "../../lib/rupees";
import { Button } from "../../ui/button";
import type { ImportState } from "./use-import";

interface ImportActionsProps {
  state: ImportState;
  preview: FilePreview;
}

export function ImportActions({ state, preview }: ImportActionsProps) {
  const { report, pending, ready } = state;
  const complete = preview.missing.length === 0;
  return (
    <>
      {report && (
        <p role="status" className="text-sm">
          {`${count(report.added)} will be added, ${count(report.updated)} changed, ${count(report.unchanged)} stay as they are, ${count(report.skipped)} ${report.skipped === 1 ? "is" : "are"} refused.`}
          {report.replaced > 0 && ` ${count(report.replaced)} of them are there twice: the last one counts.`}
        </p>
      )}
      {state.invalid && (
        <p role="alert" className="text-sm text-danger">
          A value in the mapping below has a mistake: correct it first.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {preview.valid > 0 && complete && (
          <>
            <Button variant="primary" disabled={pending || !ready} onClick={() => void state.confirm()}>
              {preview.refused > 0 ? "Import the valid rows" : "Import"}
            </Button>
            <Button disabled={pending || !ready} onClick={() => void state.rehearse()}>
              Dry run
            </Button>
          </>
        )}
        {preview.refused > 0 && (
          <Button disabled={pending || !ready} onClick={() => void state.download()}>
            Refused rows as CSV
          </Button>
        )}
        <Button disabled={pending} onClick={() => state.choose(undefined)}>
          Cancel
        </Button>
      </div>
    </>
  );
}
