import { useState } from "react";
import { useLocation } from "react-router-dom";
import { failureText } from "../../../api/failure";
import { makeBackup, useBackupsMade } from "../../../api/office/server";
import type { BackupsMade } from "../../../api/types";
import { office } from "../../../lib/office-paths";
import { counted } from "../../../lib/rupees";
import { shortMoment } from "../../../lib/time";
import { Button } from "../../../ui/button";
import { Loaded } from "../../../ui/loaded";
import { sectionOf } from "../sections/sections";
import { megabytes } from "./size";

/** The newest backups of the chosen place, when the next is due, and a button that makes one at once. */
export function MadeBackups() {
  const { hash, pathname } = useLocation();
  // A bucket is asked only when the section is shown, or the step of the setup.
  const call = useBackupsMade(sectionOf(hash) === "backups" || pathname === office.setup);
  const [error, setError] = useState<string>();
  const make = async () => {
    setError(undefined);
    try {
      await makeBackup();
    } catch (failure) {
      setError(failureText(failure));
    }
    await call.mutate();
  };
  return (
    <Loaded call={call} failure="The backups could not be loaded">
      {(made) => (
        <div className="grid gap-2">
          <State made={made} />
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button disabled={made.making} onClick={() => void make()}>
              Back up now
            </Button>
            <span role="status" className={error ? "text-sm text-danger" : "hint"}>
              {made.making ? "A backup is being made..." : error}
            </span>
          </p>
          {made.newest.length > 0 && <Newest made={made} />}
        </div>
      )}
    </Loaded>
  );
}

function State({ made: { newest, next, failure, problem, making } }: { made: BackupsMade }) {
  const [last] = newest;
  return (
    <>
      {failure !== null && !making && (
        <p role="alert" className="text-danger">
          {`The last backup failed: ${failure} It is retried automatically.`}
        </p>
      )}
      {problem !== null && problem !== failure && (
        <p role="alert" className="text-danger">{`The backups cannot be listed: ${problem}`}</p>
      )}
      {problem === null && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
          <dt className="text-ink-2">Last backup</dt>
          <dd>{last ? `${shortMoment(last.at)}, ${megabytes(last.bytes)}` : "None yet"}</dd>
          {next !== null && (
            <>
              <dt className="text-ink-2">Next backup</dt>
              <dd>{Date.parse(next) <= Date.now() ? "Due now" : shortMoment(next)}</dd>
            </>
          )}
        </dl>
      )}
    </>
  );
}

function Newest({ made: { newest, total } }: { made: BackupsMade }) {
  return (
    <details className="disclosure">
      <summary>
        {total > newest.length
          ? `The newest ${newest.length} of ${total}`
          : `All ${counted(total, "backup", "backups")}`}
      </summary>
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Made</th>
            <th scope="col">Size</th>
            <th scope="col">Name</th>
          </tr>
        </thead>
        <tbody>
          {newest.map(({ name, at, bytes }) => (
            <tr key={name}>
              <td>{shortMoment(at)}</td>
              <td>{megabytes(bytes)}</td>
              <td className="break-all">{name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="hint">Each was checked as a whole when it was made.</p>
    </details>
  );
}
