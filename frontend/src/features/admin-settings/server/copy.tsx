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
        One file with everything that the shop stores: products, prices, clicks, settings, and accounts with
        hashes of their passwords. Keep it as safe as the shop. Secrets in it, like the password of the mail
        server, can be read only with the shop's key, {key}, which is not in it: keep that elsewhere. To go
        back to the copy, stop the server and run <code>deals restore FILE</code>.
      </p>
      <Trial label="Download a copy now" pending="Making and checking the copy..." run={download} />
    </div>
  );
}
