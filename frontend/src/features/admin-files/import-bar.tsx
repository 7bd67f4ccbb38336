import type { FilePreview } from "../../api/types";
import { count, counted } from "../../lib/rupees";
import { Button } from "../../ui/button";
import type { ImportState } from "./use-import";

interface ImportBarProps {
  state: ImportState;
  preview: FilePreview;
}

/** Imports the file, or tries it, always in sight: its mapping is several screens long on a phone. */
export function ImportBar({ state, preview: { valid, refused } }: ImportBarProps) {
  const { report, invalid, pending, ready } = state;
  return (
    <div className="bulk save-bar flex-wrap justify-end">
      {!report && !invalid && (
        <p className="bulk-message basis-72 hidden wide:block">{`${counted(valid, "row", "rows")} can be imported`}</p>
      )}
      <p role="status" className="bulk-message basis-72 empty:hidden">
        {report &&
          `${count(report.added)} will be added, ${count(report.updated)} changed, ${count(report.unchanged)} stay as they are, ${count(report.skipped)} ${report.skipped === 1 ? "is" : "are"} refused.`}
        {report &&
          report.replaced > 0 &&
          ` Replaced by a later row of the same product: ${count(report.replaced)}.`}
      </p>
      {invalid && (
        <p role="alert" className="bulk-message basis-72 text-danger">
          A value in the column settings has a mistake: correct it first.
        </p>
      )}
      <Button disabled={pending || !ready} onClick={() => void state.rehearse()}>
        Try it first
      </Button>
      <Button variant="primary" disabled={pending || !ready} onClick={() => void state.confirm()}>
        {refused > 0 ? "Import the valid rows" : "Import"}
      </Button>
    </div>
  );
}
