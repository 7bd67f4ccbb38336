import { ButtonAnchor } from "../../ui/button";
import { Block, OfficeScreen } from "../../ui/office-screen";
import { ImportPanel } from "./import-panel";

export function FilesPage() {
  return (
    <OfficeScreen title="Import and export">
      <ImportPanel />
      <Block title="Export">
        <p className="hint">
          Every deal as JSON or CSV, or a zip of everything, with categories, collections and pictures.
        </p>
        <div className="flex flex-wrap gap-2 pt-2">
          <ButtonAnchor href="/product/export?format=json" download>
            Export JSON
          </ButtonAnchor>
          <ButtonAnchor href="/product/export?format=csv" download>
            Export CSV
          </ButtonAnchor>
          <ButtonAnchor href="/product/export?format=zip" download>
            Export everything
          </ButtonAnchor>
        </div>
      </Block>
    </OfficeScreen>
  );
}
