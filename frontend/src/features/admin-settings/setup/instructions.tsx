import { type ReactNode, useState } from "react";
import { useOverview } from "../../../api/office/overview";
import type { Step } from "../../../api/types";
import { Button } from "../../../ui/button";
import { INPUT } from "../../../ui/form/field";
import { useToast } from "../../../ui/toast/toast";
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

/** Stands for the domain that is not typed yet. */
const EXAMPLE = "deals.example.com";

export function AddressStep() {
  const [typed, setTyped] = useState("");
  const domain = /^(?:https?:\/\/)?([a-z\d-]+(?:\.[a-z\d-]+)+)\/?$/i.exec(typed.trim())?.[1] ?? EXAMPLE;
  return (
    <>
      <p className="hint">
        Visitors need an address with https. Buy a domain, and let it lead to the machine that runs the shop.
        Then the line below is set there once, by whoever takes care of that machine.
      </p>
      <label className="grid max-w-[30rem] gap-1.5 font-semibold">
        Your domain
        <input
          className={`${INPUT} font-normal`}
          placeholder={EXAMPLE}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <Instructions lines={[`DEALS_ACME_DOMAIN=${domain}`]}>
        In the file /etc/deals.env, then start the server again: it gets a certificate by itself.
      </Instructions>
      <Instructions lines={[`DEALS_PUBLIC_URL=https://${domain}`, "DEALS_TRUSTED_PROXY=127.0.0.1"]}>
        Only where another web server stands before the shop, set these instead.
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
  children: ReactNode;
}

function Instructions({ lines, children }: InstructionsProps) {
  const toast = useToast();
  const text = lines.join("\n");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: "Copied" });
    } catch {
      toast({ title: "The lines could not be copied", description: text, failure: true });
    }
  };
  return (
    <div className="grid max-w-[40rem] gap-2">
      <p>{children}</p>
      <pre className="whitespace-pre-wrap rounded-[6px] border border-line bg-raised p-3 text-sm wrap-anywhere">
        <code>{text}</code>
      </pre>
      <Button className="justify-self-start" onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
