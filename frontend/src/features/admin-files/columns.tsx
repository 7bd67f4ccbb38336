import type { FilePreview } from "../../api/types";
import { counted } from "../../lib/rupees";
import { Block } from "../../ui/office-screen";

/** Columns that no field uses: perhaps one is meant for something. */
export function Columns({ of }: { of: FilePreview["columns"] }) {
  const unused = of.filter(({ used }) => !used);
  if (unused.length === 0) {
    return null;
  }
  return (
    <Block title="Unused columns" note={`${counted(unused.length, "column", "columns")} of ${of.length}`}>
      <p className="hint break-words">{unused.map(({ name }) => name || "(no name)").join(", ")}</p>
    </Block>
  );
}
