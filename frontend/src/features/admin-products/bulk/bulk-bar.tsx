import cross from "icon:x";
import { useMemo, useState } from "react";
import { failureText } from "../../../api/failure";
import { type BulkChange, useCatalogueChanges } from "../../../api/office/catalogue-changes";
import type { Product } from "../../../api/types";
import { count, counted, rupees } from "../../../lib/rupees";
import { shortMoment } from "../../../lib/time";
import { exactPercent } from "../../../product/office/exact-percent";
import { MessageDialog, MOST_IN_MESSAGE } from "../../../product/office/message-dialog";
import { MOST_POSTED, PostDialog } from "../../../product/office/posting/post-dialog";
import { useQueueDrafts } from "../../../product/office/posting/queue-drafts";
import { type Done, quoted } from "../../../product/office/row-changes";
import { UndoButton, useTakeBack } from "../../../product/office/undo-bar";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/dialog";
import { Icon } from "../../../ui/icon";
import { Menu } from "../../../ui/menu";
import { useToast } from "../../../ui/toast/toast";
import { type Action, BulkForm } from "./bulk-form";
import { type Choice, chosen } from "./choice";

interface BulkBarProps {
  choice: Choice;
  /** Number of selected products that are not on this page. */
  elsewhere: number;
  /** Number of products of the list, if all can be selected. */
  total: number | undefined;
  onAll: () => void;
  onClear: () => void;
  /** Says that the prices of these are still the same. */
  onStill: (products: Product[]) => Promise<void>;
  done: Done | undefined;
  onDone: (done: Done | undefined) => void;
}

/** Actions with a form, and what the menu calls them. */
const FORMS: Partial<Record<Action, string>> = {
  discount: "Set discount",
  category: "Set category",
  addTags: "Add tags",
  removeTags: "Remove tags",
  setEnd: "Set end date",
};

function deals(number: number): string {
  return counted(number, "deal", "deals");
}

/** Says what was done to products. */
function doneWords(wanted: BulkChange, one: boolean): string {
  switch (wanted.action) {
    case "changePrice": {
      const amount = Math.abs(wanted.value);
      const words = wanted.unit === "rupees" ? rupees(amount) : exactPercent(amount);
      return `: final price ${words} ${wanted.value < 0 ? "less" : "more"}`;
    }
    case "discount":
      return `: discount is now ${exactPercent(wanted.value)}`;
    case "category":
      return `: category is now ${wanted.value}`;
    case "addTags":
      return `: tagged ${wanted.value.join(", ")}`;
    case "removeTags":
      return `: no longer tagged ${wanted.value.join(", ")}`;
    case "setEnd":
      return wanted.value === null ? ": without an end" : `: end is now ${shortMoment(wanted.value)}`;
    case "end":
      return ": ended now";
    case "publish":
      return ": published";
    default:
      return one ? " is deleted" : " deleted";
  }
}

/** Actions on the selected deals: the three frequent ones, and the others in a menu. */
export function BulkBar({ choice, elsewhere, total, onAll, onClear, onStill, done, onDone }: BulkBarProps) {
  const { changeMany, undo } = useCatalogueChanges();
  const toast = useToast();
  const queueDrafts = useQueueDrafts();
  const [asking, setAsking] = useState(false);
  const [sending, setSending] = useState(false);
  const [posting, setPosting] = useState(false);
  const [pending, setPending] = useState(false);
  const [form, setForm] = useState<Action>();
  const number = chosen(choice);
  const which = useMemo(() => choice.all ?? [...choice.products.keys()], [choice]);
  const named = [...choice.products.values()].slice(0, 3);
  const shown = done !== undefined || number > 0;
  if (form && number === 0) {
    setForm(undefined);
  }

  const apply = async (wanted: BulkChange) => {
    setAsking(false);
    try {
      const outcome = await changeMany(which, wanted);
      const [only] = choice.products.values();
      const one = only !== undefined && number === 1 && outcome.changed === 1;
      onClear();
      onDone({
        key: outcome.undo,
        message: `${one ? quoted(only) : deals(outcome.changed)}${doneWords(wanted, one)}.`,
        undo: () => undo(outcome.undo),
      });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };
  const still = async () => {
    setPending(true);
    await onStill([...choice.products.values()]);
    setPending(false);
    onClear();
  };

  const queue = async (ids: string[]) => {
    if (await queueDrafts(ids)) {
      onClear();
    }
  };

  const takeBack = useTakeBack(() => onDone(undefined));

  return (
    <div className={shown ? "bulk" : undefined}>
      <p role="status" className={shown ? "bulk-message" : "sr-only"}>
        {done ? done.message : selectionText(number, total, elsewhere)}
      </p>
      {done && (
        <UndoButton key={done.key} onUndo={() => void takeBack(done)} onOver={() => onDone(undefined)} />
      )}
      {number > 0 && (
        <>
          {done && (
            <>
              <span aria-hidden className="basis-full" />
              <p className="bulk-message">{selectionText(number, total, elsewhere)}</p>
            </>
          )}
          {total !== undefined && number < total && (
            <Button variant="plain" onClick={onAll}>
              Select all {count(total)}
            </Button>
          )}
          {choice.all === null && (
            <Button disabled={pending} onClick={() => void still()}>
              Price is the same
            </Button>
          )}
          <Button
            className="max-mid:hidden"
            aria-expanded={form === "changePrice"}
            onClick={() => setForm("changePrice")}
          >
            Change price
          </Button>
          <Button className="max-mid:hidden" onClick={() => void apply({ action: "end" })}>
            End now
          </Button>
          <Menu label="More for the selected deals" text="More">
            <button
              type="button"
              role="menuitem"
              className="mid:hidden"
              onClick={() => setForm("changePrice")}
            >
              Change price
            </button>
            <button
              type="button"
              role="menuitem"
              className="mid:hidden"
              onClick={() => void apply({ action: "end" })}
            >
              End now
            </button>
            {Object.entries(FORMS).map(([action, name]) => (
              <button key={action} type="button" role="menuitem" onClick={() => setForm(action as Action)}>
                {name}
              </button>
            ))}
            {choice.all === null && number <= MOST_POSTED && (
              <button type="button" role="menuitem" onClick={() => setPosting(true)}>
                Post now
              </button>
            )}
            {choice.all === null && number <= MOST_IN_MESSAGE && (
              <button type="button" role="menuitem" onClick={() => setSending(true)}>
                Send by WhatsApp
              </button>
            )}
            <button type="button" role="menuitem" onClick={() => void apply({ action: "publish" })}>
              Publish drafts
            </button>
            {choice.all === null && (
              <button type="button" role="menuitem" onClick={() => void queue([...choice.products.keys()])}>
                Add to queue
              </button>
            )}
            <button type="button" role="menuitem" className="text-danger" onClick={() => setAsking(true)}>
              Delete
            </button>
          </Menu>
          <Button variant="plain" aria-label="Clear selection" onClick={onClear}>
            <Icon of={cross} />
          </Button>
          {form && (
            <BulkForm
              key={form}
              action={form}
              which={which}
              products={[...choice.products.values()]}
              onApply={(wanted) => void apply(wanted)}
              onClose={() => setForm(undefined)}
            />
          )}
        </>
      )}
      {posting && <PostDialog ids={[...choice.products.keys()]} onClose={() => setPosting(false)} />}
      {sending && <MessageDialog ids={[...choice.products.keys()]} onClose={() => setSending(false)} />}
      {asking && (
        <Confirm
          title={`Delete ${deals(number)}?`}
          confirm="Delete"
          onConfirm={() => void apply({ action: "delete" })}
          onCancel={() => setAsking(false)}
        >
          <ul className="list-disc ps-5 pb-2">
            {named.map(({ _id, title }) => (
              <li key={_id}>{title}</li>
            ))}
            {number > named.length && <li>and {count(number - named.length)} more</li>}
          </ul>
          {elsewhere > 0 && <p>{`${deals(elsewhere)} of them can't be seen on this page.`}</p>}
          <p>You can undo this for a minute.</p>
        </Confirm>
      )}
    </div>
  );
}

function selectionText(number: number, total: number | undefined, elsewhere: number): string {
  const of = total === undefined ? deals(number) : `${count(number)} of ${count(total)}`;
  return `${of} selected${elsewhere > 0 ? `, ${count(elsewhere)} of them on other pages` : ""}`;
}
