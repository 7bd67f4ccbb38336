import { Button } from "../../ui/button";
import { Block } from "../../ui/office-screen";
import { Columns } from "./columns";
import { FileDrop } from "./file-drop";
import { Findings, Problems } from "./findings";
import { ImportBar } from "./import-bar";
import { ImportResult } from "./import-result";
import { MappingEditor } from "./mapping/mapping-editor";
import { PreviewRows } from "./preview-rows";
import { ReadingForm } from "./reading-form";
import { SaveMapping } from "./save-mapping";
import { useImport } from "./use-import";

/** Import of a file: what it is, what it would become, and what is in the way. */
export function ImportPanel() {
  const state = useImport();
  const { file, preview, pending, error, mapping } = state;
  return (
    <>
      <Block title="Import a file" className="stack">
        <FileDrop file={file} onChoose={state.choose} />
        {file && <ReadingForm state={state} />}
        {/* Below the form, which must not move under the pointer when the answer comes. */}
        <div role="status" className="text-sm empty:hidden">
          {preview && file ? <Findings name={file.name} of={preview} /> : pending && "Reading the file…"}
        </div>
        {error !== undefined && (
          <p role="alert" className="text-sm text-danger">
            {error}
          </p>
        )}
        {file && (
          <div>
            <Button disabled={pending} onClick={() => state.choose(undefined)}>
              Cancel
            </Button>
          </div>
        )}
      </Block>
      {state.done && <ImportResult of={state.done} />}
      {preview && state.values && <MappingEditor state={state} preview={preview} values={state.values} />}
      {preview && preview.problems.length > 0 && (
        <Problems of={preview}>
          <Button disabled={pending || !state.ready} onClick={() => void state.download()}>
            Download rows with errors
          </Button>
        </Problems>
      )}
      {preview && <PreviewRows rows={preview.rows} />}
      {preview && preview.columns.length > 0 && <Columns of={preview.columns} />}
      {preview && mapping && (
        <SaveMapping
          mapping={mapping}
          disabled={state.invalid}
          onSaved={state.useSaved}
          onDeleted={state.forget}
        />
      )}
      {preview && preview.valid > 0 && preview.missing.length + preview.questions.length === 0 && (
        <ImportBar state={state} preview={preview} />
      )}
    </>
  );
}
