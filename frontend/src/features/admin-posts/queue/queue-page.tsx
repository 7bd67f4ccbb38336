import { useQueue, useQueueChanges } from "../../../api/outgoing/queue";
import type { Queue } from "../../../api/types";
import { office } from "../../../lib/office-paths";
import { counted } from "../../../lib/rupees";
import { useAttempt } from "../../../session/use-attempt";
import { Button, ButtonLink } from "../../../ui/button";
import { Loaded } from "../../../ui/loaded";
import { Block } from "../../../ui/office-screen";
import { PostsFrame } from "../posts-frame";

import { QueueRules } from "./queue-rules";
import { QueuedDrafts } from "./queued-drafts";

/** Drafts that go live one after the other, and when they do. */
export function QueuePage() {
  const call = useQueue();
  const { data } = call;
  return (
    <PostsFrame
      hint="Drafts go live one after the other, a few an hour, and are posted to your channels. Add drafts under Products."
      note={data && counted(data.data.length, "draft", "drafts")}
      actions={data && <PauseButton queue={data} />}
    >
      <Loaded call={call} failure="The queue could not be loaded">
        {(queue) => (
          <div className="list-first">
            <Block title="In the queue" note={queue.paused && "Paused"}>
              {queue.data.length === 0 ? (
                <div className="flex flex-col items-start gap-3">
                  <p className="hint">
                    The queue is empty. Choose drafts under Products, then “Add to queue”.
                  </p>
                  <ButtonLink to={`${office.products}?state=draft`}>Show the drafts</ButtonLink>
                </div>
              ) : (
                <QueuedDrafts queue={queue} />
              )}
            </Block>
            <Block title="When they go live">
              <QueueRules key={queue.version} queue={queue} />
            </Block>
          </div>
        )}
      </Loaded>
    </PostsFrame>
  );
}

function PauseButton({ queue: { paused } }: { queue: Queue }) {
  const { change } = useQueueChanges();
  const attempt = useAttempt();
  const said = paused ? "Queue continued" : "Queue paused";
  const press = () => void attempt(() => change({ paused: !paused }), said);
  return (
    <Button variant={paused ? "primary" : "quiet"} onClick={press}>
      {paused ? "Continue" : "Pause"}
    </Button>
  );
}
