import { useState } from "react";
import { useWebhookChanges } from "../../api/office/webhooks";
import type { Webhook } from "../../api/types";
import { count, counted } from "../../lib/rupees";
import { moment } from "../../lib/time";
import { useAttempt } from "../../session/use-attempt";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";

export function WebhookRow({ of: webhook }: { of: Webhook }) {
  const { switchTo, remove, test } = useWebhookChanges();
  const [isAsking, setAsking] = useState(false);
  const tryIt = useAttempt();
  const attempt = (work: () => Promise<unknown>, title: string) => {
    setAsking(false);
    return tryIt(work, title);
  };
  const end = async () => {
    await remove(webhook);
    document.querySelector("h1")?.focus();
  };
  return (
    <li aria-label={webhook.url} className="line grid-cols-1 gap-2">
      <b className="break-all">{webhook.url}</b>
      <p className="quiet">{webhook.events.join(", ")}</p>
      <p className={webhook.offReason || webhook.failingSince ? "text-sm text-danger" : "quiet"}>
        {stateOf(webhook)}
      </p>
      {webhook.deliveredAt && <p className="quiet">Last delivery: {moment(webhook.deliveredAt)}</p>}
      {webhook.lastErrorAt && (
        <p className="quiet">
          Last error: {moment(webhook.lastErrorAt)}. {webhook.lastError}
        </p>
      )}
      {webhook.dropped > 0 && (
        <p className="quiet">{count(webhook.dropped)} events were dropped because too many waited.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void attempt(() => test(webhook), "The test is on its way")}>Send test</Button>
        <Button
          onClick={() =>
            void attempt(() => switchTo(webhook, !webhook.on), webhook.on ? "Switched off" : "Switched on")
          }
        >
          {webhook.on ? "Switch off" : "Switch on"}
        </Button>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title="Delete this webhook?"
          confirm="Delete"
          onConfirm={() => void attempt(end, "The webhook is deleted")}
          onCancel={() => setAsking(false)}
        >
          <p>Waiting events are not sent, and its secret is deleted. This can't be undone.</p>
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
  return waiting === 0 ? state : `${state} · ${counted(waiting, "event waits", "events wait")}`;
}
