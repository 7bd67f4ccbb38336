import { useState } from "react";
import { failureText } from "../../../api/failure";
import { useChannelChanges } from "../../../api/outgoing/channels";
import type { Channel } from "../../../api/types";
import { counted } from "../../../lib/rupees";
import { moment, shortMoment } from "../../../lib/time";
import { useAttempt } from "../../../session/use-attempt";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/dialog";
import { ChannelForm } from "./channel-form";
import { KINDS } from "./kinds";

interface ChannelRowProps {
  of: Channel;
  usual: string;
}

/** A channel with how it does, and what can be done with it. */
export function ChannelRow({ of: channel, usual }: ChannelRowProps) {
  const { change, remove, test } = useChannelChanges();
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const [testing, setTesting] = useState(false);
  const [tested, setTested] = useState<{ text: string; failed: boolean }>();
  const { id, name, kind, chat, on } = channel;
  const tryIt = useAttempt();
  const attempt = (work: () => Promise<unknown>, title: string) => {
    setAsking(false);
    return tryIt(work, title);
  };
  const sendTest = async () => {
    setTesting(true);
    setTested(undefined);
    try {
      setTested({ text: (await test(id)).message, failed: false });
    } catch (failure) {
      setTested({ text: failureText(failure), failed: true });
    }
    setTesting(false);
  };
  const end = async () => {
    await remove(id);
    document.querySelector("h1")?.focus();
  };
  return (
    <li aria-label={name} className="line grid-cols-1 gap-2">
      <div className="grid gap-0.5">
        <b className="wrap-anywhere">{name}</b>
        <p className="quiet wrap-anywhere">
          {[KINDS[kind].name, chat, secretWords(channel)].filter(Boolean).join(" · ")}
        </p>
        <State of={channel} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button disabled={testing} onClick={() => void sendTest()}>
          {testing ? "Sending…" : "Send test"}
        </Button>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          Change
        </Button>
        <Button
          onClick={() => void attempt(() => change(id, { on: !on }), on ? "Switched off" : "Switched on")}
        >
          {on ? "Switch off" : "Switch on"}
        </Button>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      <p
        role="status"
        className={`whitespace-pre-wrap wrap-anywhere text-sm ${tested?.failed ? "text-danger" : ""}`}
      >
        {tested?.text}
      </p>
      {open && (
        <div className="category-form">
          <ChannelForm usual={usual} of={channel} onDone={() => setOpen(false)} />
        </div>
      )}
      {asking && (
        <Confirm
          title={`Delete “${name}”?`}
          confirm="Delete"
          onConfirm={() => void attempt(end, `“${name}” is deleted`)}
          onCancel={() => setAsking(false)}
        >
          <p>
            Waiting posts are not sent. Posts already sent stay where they are, and are no longer changed when
            their deals end.
          </p>
        </Confirm>
      )}
    </li>
  );
}

/** Whether it is on, what waits, and the last post and error. */
function State({ of: channel }: { of: Channel }) {
  const { on, offReason, rule, waiting, lastPostedAt, lastError, lastErrorAt } = channel;
  const how = rule.on ? `by rule, at most ${rule.perHour} an hour` : "by hand and from the queue";
  // An error before the last post is over, and the reason for switching off is said once.
  const failing = lastErrorAt !== null && (lastPostedAt === null || lastErrorAt > lastPostedAt);
  return (
    <>
      <p className="quiet">
        {[
          on ? "On" : "Off",
          how,
          waiting > 0 && counted(waiting, "post waits", "posts wait"),
          lastPostedAt ? `last post ${moment(lastPostedAt)}` : "no post yet",
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {offReason !== "" && <p className="text-sm text-danger">{`Switched off: ${offReason}`}</p>}
      {failing && lastError !== offReason && (
        <p className="text-sm text-danger">{`Last error: ${moment(lastErrorAt)}. ${lastError}`}</p>
      )}
    </>
  );
}

function secretWords({ kind, secretSetAt }: Channel): string {
  const name = { telegram: "token", discord: "address", webhook: "secret", nowhere: "" }[kind];
  return secretSetAt === null || name === "" ? "" : `${name} set on ${shortMoment(secretSetAt)}`;
}
