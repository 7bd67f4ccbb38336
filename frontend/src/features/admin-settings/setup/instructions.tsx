import type { ReactNode } from "react";
import { TestMail } from "../test-mail";

/** Steps that are done where the server is started. */

export function MailStep() {
  return (
    <>
      <Instructions
        lines={["DEALS_SMTP_URL=smtps://user:password@mail.example.com", "DEALS_MAIL_FROM=shop@example.com"]}
      >
        People who register get a code by mail, and who forgot a password too. Set these with what your mail
        provider gave you, and start the server again.
      </Instructions>
      <TestMail />
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

export function BackupStep() {
  return (
    <Instructions lines={["DEALS_BACKUP_DIR=/backup"]}>
      The server saves a checked copy of the shop each day and keeps the newest seven. Set a folder, best on
      another disk, and start the server again. The step is done with the first copy.
    </Instructions>
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
