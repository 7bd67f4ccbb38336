import { type FormEvent, useState } from "react";
import { failureText } from "../../../api/failure";
import { useOverview } from "../../../api/office/overview";
import { lookUp } from "../../../api/office/server";
import type { Step } from "../../../api/types";
import { Button } from "../../../ui/button";
import { INPUT } from "../../../ui/form/field";
import { BackupsForm } from "../server/backups-form";
import { DownloadCopy } from "../server/copy";
import { CopyText } from "../server/copy-text";
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

/** Stands for the domain that is not typed yet. */
const EXAMPLE = "deals.example.com";

export function AddressStep() {
  const [typed, setTyped] = useState("");
  const [found, setFound] = useState<{ here: boolean; text: string }>();
  const [isBusy, setBusy] = useState(false);
  const domain = /^(?:https?:\/\/)?([a-z\d-]+(?:\.[a-z\d-]+)+)\/?$/i.exec(typed.trim())?.[1];
  const check = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { leadsHere, message } = await lookUp(domain ?? typed);
      setFound({ here: leadsHere, text: message });
    } catch (failure) {
      setFound({ here: false, text: failureText(failure) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <p className="hint">
        Visitors need an address of your own, with https. Buy a domain, like {EXAMPLE}, and let it lead to the
        machine that runs the shop.
      </p>
      <form noValidate onSubmit={(event) => void check(event)} className="grid max-w-[30rem] gap-1.5">
        <label htmlFor="domain" className="font-semibold">
          Your domain
        </label>
        <div className="flex gap-2">
          <input
            id="domain"
            className={INPUT}
            placeholder={EXAMPLE}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setFound(undefined);
            }}
          />
          <Button type="submit" className="shrink-0" disabled={isBusy}>
            {isBusy ? "Checking..." : "Check it"}
          </Button>
        </div>
        <p role="status" className={found?.here ? "text-sm text-saving" : "text-sm text-danger"}>
          {found && `${found.here ? "✓" : "✗"} ${found.text}`}
        </p>
      </form>
      <CopyText text={request(domain ?? EXAMPLE)}>
        Send this to the person who runs the machine, or do it yourself:
      </CopyText>
    </>
  );
}

/** Returns what is to be done on the machine. */
function request(domain: string): string {
  return `Please give our shop the address https://${domain}: write the line DEALS_ACME_DOMAIN=${domain} into the file /etc/deals.env, let the ports 80 and 443 through, and start the shop again. It gets its certificate by itself.
If another web server stands before the shop, write DEALS_PUBLIC_URL=https://${domain} and DEALS_TRUSTED_PROXY=127.0.0.1 instead.`;
}

export function BackupStep({ step }: { step: Step }) {
  // The first copy is made in the background.
  useOverview(step.done ? 0 : 2_000);
  return (
    <>
      <p>
        The server regularly saves a copy of your shop in another place, in case the machine breaks. This step
        is done with the first copy.
      </p>
      <BackupsForm />
      <DownloadCopy />
    </>
  );
}
