import { useState } from "react";
import { failureText } from "../../api/failure";
import { useKeyChanges, useKeys } from "../../api/office/keys";
import type { Key } from "../../api/types";
import { day } from "../../lib/day";
import { ago } from "../../lib/time";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Link } from "../../ui/link";
import { OfficeList } from "../../ui/office-list";
import { OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import { NewKey } from "./new-key";

export function KeysPage() {
  return (
    <OfficeScreen title="API keys">
      <p className="hint max-w-[44rem]">
        A key lets an app work in the shop without your password, for what you choose and until you revoke it.
        The app sends it as <code>Authorization: Bearer</code>;{" "}
        <Link to="/docs" reloadDocument className="link">
          the API's calls
        </Link>{" "}
        say which they need.
      </p>
      <div className="form-first">
        <NewKey />
        <OfficeList
          title="Keys"
          failure="The keys could not be loaded"
          none="No keys yet. Make one for each app, so that one can be revoked alone."
          call={useKeys()}
        >
          {(key) => <KeyRow key={key.id} of={key} />}
        </OfficeList>
      </div>
    </OfficeScreen>
  );
}

function KeyRow({ of: key }: { of: Key }) {
  const { revoke } = useKeyChanges();
  const [asking, setAsking] = useState(false);
  const toast = useToast();
  const end = async () => {
    setAsking(false);
    try {
      await revoke(key);
      toast({ title: `“${key.name}” is revoked` });
      document.querySelector("h1")?.focus();
    } catch (failure) {
      toast({ title: failureText(failure), failure: true });
    }
  };
  const expired = new Date(key.expiresAt) <= new Date();
  return (
    <li className="line items-center gap-2">
      <div>
        <b>{key.name}</b> <code className="text-ink-3">deals_live_{key.prefix}…</code>
        <p className="quiet">{key.scopes.join(", ")}</p>
        <p className="quiet">
          {expired ? "Expired on" : "Until"} <time dateTime={key.expiresAt}>{day(key.expiresAt)}</time> ·{" "}
          {key.lastUsedAt === null ? (
            "not used yet"
          ) : (
            <>
              used <time dateTime={key.lastUsedAt}>{ago(key.lastUsedAt)}</time>
            </>
          )}{" "}
          · of {key.owner}
        </p>
      </div>
      <Button variant="danger" aria-label={`Revoke ${key.name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {asking && (
        <Confirm
          title={`Revoke “${key.name}”?`}
          confirm="Revoke"
          onConfirm={() => void end()}
          onCancel={() => setAsking(false)}
        >
          <p>Apps that use it are refused at once. This can't be undone.</p>
        </Confirm>
      )}
    </li>
  );
}
