import type { ReactNode } from "react";
import { useOverview } from "../../../api/office/overview";
import type { Step } from "../../../api/types";
import { BackupsForm } from "../server/backups-form";
import { DownloadCopy } from "../server/copy";
import { MailForm } from "../server/mail-form";

/** Steps about the server. */

export function MailStep() {
  return (
    <>
      <p>People who register get a code by mail, and who forgot a password too.</p>
      <MailForm />
    </>
  );
}

export function AddressStep() {
  return (
    <>
      <Instructions lines={["DEALS_ACME_DOMAIN=deals.example.com"]}>
        Visitors need https. If your domain leads to this machine, set its name and start the server again: it
        gets a certificate by itself.
      </Instructions>
      <Instructions
        lines={["DEALS_PUBLIC_URL=https://deals.example.com", "DEALS_TRUSTED_PROXY=127.0.0.1"]}
        where={false}
      >
        Behind a proxy that speaks https, set these instead.
      </Instructions>
    </>
  );
}

export function BackupStep({ step }: { step: Step }) {
  // The first copy is made in the background.
  useOverview(step.done ? 0 : 2_000);
  return (
    <>
      <p>
        The server saves checked copies of the shop in a place that outlives it. The step is done with the
        first copy.
      </p>
      <BackupsForm />
      <DownloadCopy />
    </>
  );
}

interface InstructionsProps {
  lines: string[];
  /** Says in which file the lines go. */
  where?: boolean;
  children: ReactNode;
}

function Instructions({ lines, where = true, children }: InstructionsProps) {
  return (
    <div className="setup-how">
      <p>{children}</p>
      <pre>
        <code>{lines.join("\n")}</code>
      </pre>
      {where && <p className="hint">In /etc/deals.env, or another file that you name with --env-file.</p>}
    </div>
  );
}
