import { useWebhooks } from "../../api/office/webhooks";
import { OfficeList } from "../../ui/office-list";
import { OfficeScreen } from "../../ui/office-screen";
import { NewWebhook } from "./new-webhook";
import { WebhookRow } from "./webhook-row";

export function WebhooksPage() {
  return (
    <OfficeScreen title="Webhooks">
      <p className="hint max-w-[44rem]">
        A webhook tells another app at once what happens in the shop: it posts a signed message to an address,
        and tries again for a day if there is no answer. To replace a secret, remove the webhook and create it
        again.
      </p>
      <div className="form-first">
        <NewWebhook />
        <OfficeList
          title="Webhooks"
          failure="The webhooks could not be loaded"
          none="No webhooks yet."
          call={useWebhooks()}
        >
          {(webhook) => <WebhookRow key={webhook.id} of={webhook} />}
        </OfficeList>
      </div>
    </OfficeScreen>
  );
}
