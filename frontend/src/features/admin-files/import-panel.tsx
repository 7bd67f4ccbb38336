import { Button } from "../../ui/button";
import { Block } from "../../ui/office-screen";
import { CategoryTable } from "./category-table";
import { Columns } from "./columns";
import { FileDrop } from "./file-drop";
import { Findings, Problems } from "./findings";
import { ImportActions } from "./import-actions";
import { PreviewRows } from "./preview-rows";
import { ReadingForm } from "./reading-form";
import { SaveMapping } from "./save-mapping";
import { useImport } from "./use-import";

/** Import of a file: what it is, what it would become, and what is in the way. */
export function ImportPanel() {
  const state = useImport();
  const { file, preview, pending, error } = state;
  return (
    <>
      <Block title="Import a file" className="stack">
        <FileDrop file={file} disabled={pending} onChoose={state.choose} />
        <div role="status" className="text-sm empty:hidden">
          {pending ? "Reading the file…" : preview && file && <Findings name={file.name} of={preview} />}
        </div>
        {error !== undefined && (
          <p role="alert" className="text-sm text-danger">
            {error}
          </p>
        )}
        {file && <ReadingForm state={state} />}
        {preview && <ImportActions state={state} preview={preview} />}
        {file && !preview && !pending && (
          <div>
            <Button onClick={() => state.choose(undefined)}>Cancel</Button>
          </div>
        )}
      </Block>
      {preview && preview.categories.length > 0 && preview.mapping && (
        <CategoryTable categories={preview.categories} disabled={pending} onMap={state.mapCategories} />
      )}
      {preview && preview.rows.length > 0 && <PreviewRows rows={preview.rows} />}
      {preview && preview.problems.length > 0 && <Problems of={preview} />}
      {preview && preview.columns.length > 0 && <Columns of={preview.columns} />}
      {preview?.mapping && <SaveMapping mapping={preview.mapping} onSaved={state.useSaved} />}
    </>
  );
}
