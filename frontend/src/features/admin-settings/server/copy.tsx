import { makeCopy, useBackupSettings } from "../../../api/office/server";
import { counted } from "../../../lib/rupees";
import { Trial } from "./trial";

/** Makes a copy of the database and downloads it. */
export function DownloadCopy() {
  const { data } = useBackupSettings();
  const key = data?.keyFile ? `the file ${data.keyFile}` : "the variable DEALS_SECRET";
  const download = async () => {
    const { path, name, bytes, products } = await makeCopy();
    const link = document.createElement("a");
    link.href = path;
    link.download = name;
    link.click();
    const size = `${Math.max(1, Math.round(bytes / 1_000_000))} MB`;
    return `${name} with ${counted(products, "product", "products")} (${size}) is being downloaded.`;
  };
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-semibold">A copy for you</h3>
      <p className="hint">
        One file with your whole shop: deals, prices, clicks, settings and accounts. Download one every week,
        and keep it where only you can open it.
      </p>
      <Trial label="Download a copy now" pending="Making and checking the copy..." run={download} />
      <details>
        <summary>Going back to a copy</summary>
        <p className="hint mt-1">
          The person who runs the server stops it, runs <code>deals restore FILE</code>, and starts it again.
          Saved passwords, like that of the mail server, also need {key}, which is not in the copy: keep it
          elsewhere.
        </p>
      </details>
    </div>
  );
}
