import { useWebhooks } from "../../api/office/webhooks";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { NewWebhook } from "./new-webhook";
import { WebhookRow } from "./webhook-row";

export function WebhooksPage() {
  const { data, error, mutate } = useWebhooks();
  return (
    <OfficeScreen title="Webhooks">
      <p className="hint max-w-[44rem]">
        A webhook tells another program at once what happens in the shop: it posts a signed message to an
        address, and tries again for a day if there is no answer. To replace a secret, remove the webhook and
        make it anew.
      </p>
      <NewWebhook />
      {error && !data && (
        <Notice title="The webhooks could not be loaded">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      )}
      {data && (
        <section aria-label="Webhooks" className="pane">
          <div className="pane-head">
            <h2>Webhooks</h2>
          </div>
          {data.data.length === 0 ? (
            <p className="hint">No webhooks yet.</p>
          ) : (
            <ul className="deal-rows">
              {data.data.map((webhook) => (
                <WebhookRow key={webhook.id} of={webhook} />
              ))}
            </ul>
          )}
        </section>
      )}
    </OfficeScreen>
  );
}
