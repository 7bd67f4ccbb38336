import { makeCopy, useBackupSettings } from "../../../api/office/server";
import { counted } from "../../../lib/rupees";
import { CopyText } from "./copy-text";
import { megabytes } from "./size";
import { Trial } from "./trial";

/** Makes a copy of the database and downloads it. */
export function DownloadCopy() {
  const { data } = useBackupSettings();
  const download = async () => {
    const { path, name, bytes, products } = await makeCopy();
    const link = document.createElement("a");
    link.href = path;
    link.download = name;
    link.click();
    return `${name} with ${counted(products, "deal", "deals")} (${megabytes(bytes)}) is being downloaded.`;
  };
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-semibold">A copy for you</h3>
      <p className="hint">
        One file with your whole shop: deals, prices, clicks, settings and accounts. Download one every week,
        and keep it where only you can open it.
      </p>
      <Trial label="Download a copy now" pending="Making and checking the copy..." run={download} />
      <details className="disclosure">
        <summary>Restore a backup</summary>
        <div className="flex flex-col gap-3 pt-2">
          <p className="hint">
            Everything after the backup is lost, and everybody has to sign in again. It is done on the machine
            itself, so that nobody who finds your password can do it.
          </p>
          <CopyText text={wayBack(data?.keyFile)}>
            Send this with the backup to the person who runs the machine, or do it yourself:
          </CopyText>
        </div>
      </details>
    </div>
  );
}

/** Returns what is to be done on the machine. */
function wayBack(keyFile: string | null | undefined): string {
  const key = keyFile ? `the file ${keyFile} of the old machine` : "the old variable DEALS_SECRET";
  return `Please restore our shop from this backup: stop the shop, run “deals restore FILE” with the name of the backup in place of FILE, and start it again. What was there is kept under another name, which the command prints.
On another machine the shop also needs ${key}: without it nobody can sign in.`;
}
