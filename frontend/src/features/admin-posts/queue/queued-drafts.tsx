import { useState } from "react";
import { useQueueChanges } from "../../../api/outgoing/queue";
import type { Queue, QueuedDraft } from "../../../api/types";
import { paths } from "../../../lib/paths";
import { rupees } from "../../../lib/rupees";
import { soon } from "../../../lib/time";
import { ProductCell } from "../../../product/office/product-cell";
import { quoted } from "../../../product/office/row-changes";
import { useAttempt } from "../../../session/use-attempt";
import { Button } from "../../../ui/button";
import { useReorder } from "../../../ui/reorder";

/** The drafts in their order, each with its time. */
export function QueuedDrafts({ queue }: { queue: Queue }) {
  const { change, remove } = useQueueChanges();
  const attempt = useAttempt();
  // Drafts in the order of a row that is being dragged.
  const [dragging, setDragging] = useState<QueuedDraft[]>();
  const items = dragging ?? queue.data;
  const order = (next: QueuedDraft[], settled: boolean) => {
    const shown = timed(next, queue);
    setDragging(settled ? undefined : shown);
    if (settled) {
      const ids = next.map(({ _id }) => _id);
      void attempt(() => change({ order: ids }, { ...queue, data: shown }));
    }
  };
  const { list, status, say, row, grip, moves } = useReorder({
    items,
    keyOf: ({ _id }) => _id,
    nameOf: quoted,
    onOrder: order,
  });
  const takeOut = async (draft: QueuedDraft) => {
    await attempt(async () => {
      await remove(draft._id);
      say(`${quoted(draft)} is taken out of the queue`);
    });
    list.current?.closest("section")?.querySelector<HTMLElement>("h2")?.focus();
  };
  const first = items.find(({ at }) => at !== undefined);
  return (
    <>
      {status}
      <ol ref={list} aria-label="Drafts in their order" className="deal-rows">
        {items.map((draft, at) => {
          const { _id, title, source, category, image, finalPrice } = draft;
          return (
            <li key={_id} {...row(draft, at)}>
              {grip(draft, at)}
              <ProductCell
                to={paths.updateProduct(_id)}
                id={_id}
                title={title}
                source={source}
                category={category}
                image={image}
                note={
                  <>
                    <span className="tabular">{timeOf(draft, draft === first)}</span>
                    {` · ${rupees(finalPrice)} · ${source}`}
                  </>
                }
              />
              <div className="category-acts">
                {moves(draft, at)}
                <Button aria-label={`Remove ${quoted(draft)}`} onClick={() => void takeOut(draft)}>
                  Remove
                </Button>
              </div>
            </li>
          );
        })}
      </ol>
    </>
  );
}

function timeOf({ at, waits }: QueuedDraft, first: boolean): string {
  if (at === undefined) {
    return waits ?? "paused";
  }
  return first ? `next at ${soon(at)}` : `at ${soon(at)}`;
}

/** Gives drafts in a new order the times of the former one. */
function timed(drafts: readonly QueuedDraft[], { data }: Queue): QueuedDraft[] {
  const times = data.flatMap(({ at }) => at ?? []);
  return drafts.map((draft) => {
    const at = draft.at === undefined ? undefined : times.shift();
    return at === undefined ? draft : { ...draft, at };
  });
}
