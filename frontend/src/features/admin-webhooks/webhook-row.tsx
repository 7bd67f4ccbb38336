import { useState } from "react";
import { failureText } from "../../api/failure";
import { useWebhookChanges } from "../../api/office/webhooks";
import type { Webhook, WebhookSecret } from "../../api/types";
import { count } from "../../lib/rupees";
import { moment } from "../../lib/time";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { ShownOnce } from "../../ui/form/shown-once";
import { useToast } from "../../ui/toast/toast";
import { Deliveries } from "./deliveries";

export function WebhookRow({ of: webhook }: { of: Webhook }) {
  const { switchTo, remove, test, rotate } = useWebhookChanges();
  const [asking, setAsking] = useState<"remove" | "rotate">();
  const [open, setOpen] = useState(false);
  const [renewed, setRenewed] = useState<WebhookSecret>();
  const toast = useToast();
  const attempt = async (work: () => Promise<unknown>, title: string) => {
    setAsking(undefined);
    try {
      await work();
      toast({ title });
    } catch (failure) {
      toast({ title: failureText(failure), failure: true });
    }
  };
  const renew = async () => setRenewed(await rotate(webhook));
  const end = async () => {
    await remove(webhook);
    document.querySelector("h1")?.focus();
  };
  const startTest = async () => {
    await test(webhook);
    setOpen(true);
  };
  return (
    <li aria-label={webhook.url} className="webhook-row">
      <b className="break-all">{webhook.url}</b>
      <p className="quiet">{webhook.events.join(", ")}</p>
      <p className={webhook.offReason || webhook.failingSince ? "text-sm text-danger" : "quiet"}>
        {stateOf(webhook)}
      </p>
      {webhook.dropped > 0 && (
        <p className="quiet">{count(webhook.dropped)} events were dropped because too many waited.</p>
      )}
      {webhook.formerSecretUntil !== null && new Date(webhook.formerSecretUntil) > new Date() && (
        <p className="quiet">The secret before is valid until {moment(webhook.formerSecretUntil)}.</p>
      )}
      {renewed && (
        <ShownOnce text={renewed.secret} name="secret" onDone={() => setRenewed(undefined)}>
          This is the new secret; the one before is valid for another 24 hours. Copy it now: it is never shown
          again.
        </ShownOnce>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void attempt(startTest, "The test is on its way")}>Send test</Button>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          Log
        </Button>
        <Button
          onClick={() =>
            void attempt(() => switchTo(webhook, !webhook.on), webhook.on ? "Switched off" : "Switched on")
          }
        >
          {webhook.on ? "Switch off" : "Switch on"}
        </Button>
        <Button onClick={() => setAsking("rotate")}>New secret</Button>
        <Button variant="danger" onClick={() => setAsking("remove")}>
          Remove
        </Button>
      </div>
      {open && <Deliveries of={webhook} />}
      {asking === "remove" && (
        <Confirm
          title="Remove this webhook?"
          confirm="Remove"
          onConfirm={() => void attempt(end, "The webhook is removed")}
          onCancel={() => setAsking(undefined)}
        >
          <p>What waits for it is not sent. This can't be undone.</p>
        </Confirm>
      )}
      {asking === "rotate" && (
        <Confirm
          title="Make a new secret?"
          confirm="Make it"
          onConfirm={() => void attempt(renew, "The secret is renewed")}
          onCancel={() => setAsking(undefined)}
        >
          <p>Both secrets sign for 24 hours; then only the new one does.</p>
        </Confirm>
      )}
    </li>
  );
}

function stateOf({ on, offReason, failingSince, waiting }: Webhook): string {
  if (!on) {
    return offReason === "" ? "Off" : `Switched off: ${offReason}`;
  }
  const state = failingSince === null ? "On" : `Failing since ${moment(failingSince)}`;
  return waiting === 0
    ? state
    : `${state} · ${count(waiting)} ${waiting === 1 ? "event waits" : "events wait"}`;
}
