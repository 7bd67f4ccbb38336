import { useOverview } from "../../api/office/overview";
import { useOwnPictures } from "../../api/office/pictures";
import { counted } from "../../lib/rupees";
import { BackupsForm } from "./server/backups-form";
import { DownloadCopy } from "./server/copy";
import { MailForm } from "./server/mail-form";
import { megabytes } from "./server/size";

export function Mail() {
  return (
    <section className="panel" aria-labelledby="mail-title">
      <h2 id="mail-title">Mail</h2>
      <p className="hint">
        Codes for new accounts, forgotten passwords and mails of new deals are sent through your mail
        provider.
      </p>
      <MailForm />
    </section>
  );
}

export function Backups() {
  return (
    <section className="panel" aria-labelledby="backups-title">
      <h2 id="backups-title">Backups</h2>
      <DownloadCopy />
      <h3 className="font-semibold">Automatic backups</h3>
      <BackupsForm />
    </section>
  );
}

/** Settings that are made when the server starts. */
export function Running() {
  const { data } = useOverview();
  const address = data?.setup.find(({ key }) => key === "address");
  return (
    <section className="panel" id="running" aria-labelledby="running-title">
      <h2 id="running-title">Server</h2>
      <p className="hint">
        For the person who runs the server: this is set when it starts, and <code>deals check</code> tests all
        of it.
      </p>
      {address && (
        <ul>
          <li className="line grid-cols-1">
            <div>
              {`Address: ${address.state}`}
              {!address.done && <small className="block">{address.hint}</small>}
            </div>
          </li>
        </ul>
      )}
      <OwnPictures />
    </section>
  );
}

/** Number and size of the shop's own pictures. */
function OwnPictures() {
  const { data } = useOwnPictures();
  if (!data || data.pictures + data.waiting + data.failed === 0) {
    return null;
  }
  const percent = Math.round((data.bytes / data.databaseBytes) * 100);
  const { waiting, failed, lastError } = data;
  return (
    <p className="hint">
      {`${counted(data.pictures, "picture", "pictures")} of ${megabytes(data.bytes)}, ${percent} % of the database. Those that no deal has are deleted after 7 days.`}
      {waiting > 0 && ` The pictures of ${counted(waiting, "deal waits", "deals wait")} to be copied.`}
      {failed > 0 && ` Those of ${counted(failed, "deal", "deals")} could not be copied.`}
      {lastError !== undefined && ` Last failure: ${lastError}.`}
    </p>
  );
}
