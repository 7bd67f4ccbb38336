import { failureText } from "../../api/failure";
import { useDeliveries, useWebhookChanges } from "../../api/office/webhooks";
import type { Delivery, Webhook } from "../../api/types";
import { moment } from "../../lib/time";
import { Button } from "../../ui/button";
import { useToast } from "../../ui/toast/toast";

/** The last deliveries of a webhook. */
export function Deliveries({ of: webhook }: { of: Webhook }) {
  const { data, error, mutate } = useDeliveries(webhook, true);
  if (!data) {
    return error ? <Button onClick={() => void mutate()}>Load the log again</Button> : <p>Loading...</p>;
  }
  if (data.data.length === 0) {
    return <p className="hint">Nothing was sent yet.</p>;
  }
  return (
    <ul aria-label="Deliveries" className="flex flex-col gap-3">
      {data.data.map((delivery) => (
        <Attempt key={delivery.id} of={delivery} webhook={webhook} />
      ))}
    </ul>
  );
}

function Attempt({ of: delivery, webhook }: { of: Delivery; webhook: Webhook }) {
  const { sendAgain } = useWebhookChanges();
  const toast = useToast();
  const send = async () => {
    try {
      await sendAgain(webhook, delivery.id);
      toast({ title: "It is sent again" });
    } catch (failure) {
      toast({ title: failureText(failure), failure: true });
    }
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-2">
      <div className="min-w-0">
        <code>{delivery.event}</code> <time dateTime={delivery.at}>{moment(delivery.at)}</time>
        <p className={delivery.error === "" ? "quiet" : "text-sm text-danger"}>{outcome(delivery)}</p>
      </div>
      <Button
        aria-label={`Send again: ${delivery.event} of ${moment(delivery.at)}`}
        onClick={() => void send()}
      >
        Send again
      </Button>
    </li>
  );
}

function outcome({ error, attempt, status, nextAt }: Delivery): string {
  if (error === "") {
    return `Delivered (${status})${attempt > 1 ? ` at attempt ${attempt}` : ""}`;
  }
  const next = nextAt === null ? "Not tried again." : `Next attempt on ${moment(nextAt)}.`;
  return `Attempt ${attempt}: ${error} ${next}`;
}
