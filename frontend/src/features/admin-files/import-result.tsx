import { saveFile } from "../../lib/device/save-file";
import { office } from "../../lib/office-paths";
import { count } from "../../lib/rupees";
import { Button, ButtonLink } from "../../ui/button";
import { Block } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import type { Imported } from "./use-import";

/** Result of an import, until another file is chosen. */
export function ImportResult({ of: { name, report, refused } }: { of: Imported }) {
  const { added, updated, unchanged, skipped } = report;
  const toast = useToast();
  const download = async () => {
    try {
      saveFile("refused.csv", await refused());
    } catch {
      toast({ title: "The refused rows could not be read", failure: true });
    }
  };
  return (
    <Block title="Imported" note={name}>
      <p role="status">
        {`Added: ${count(added)} · changed: ${count(updated)} · as they were: ${count(unchanged)} · refused: ${count(skipped)}`}
      </p>
      <div className="flex flex-wrap gap-2 pt-3">
        {added > 0 && <ButtonLink to={office.products}>See the new deals</ButtonLink>}
        {skipped > 0 && <Button onClick={() => void download()}>Refused rows as CSV</Button>}
      </div>
    </Block>
  );
}
