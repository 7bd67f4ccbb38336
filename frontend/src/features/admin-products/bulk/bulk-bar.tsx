import cross from "icon:x";
import { useMemo, useState } from "react";
import { failureText } from "../../../api/failure";
import { type BulkChange, useCatalogueChanges } from "../../../api/office/catalogue-changes";
import { count, counted } from "../../../lib/rupees";
import { type Done, quoted } from "../../../product/office/row-changes";
import { UndoButton, useTakeBack } from "../../../product/office/undo-bar";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/dialog";
import { Icon } from "../../../ui/icon";
import { useToast } from "../../../ui/toast/toast";
import { BulkForm } from "./bulk-form";
import { type Choice, chosen } from "./choice";

interface BulkBarProps {
  choice: Choice;
  /** Number of selected products that are not on this page. */
  elsewhere: number;
  /** Number of products of the list, if all can be selected. */
  total: number | undefined;
  onAll: () => void;
  onClear: () => void;
  done: Done | undefined;
  onDone: (done: Done | undefined) => void;
}

function products(number: number): string {
  return counted(number, "product", "products");
}

export function BulkBar({ choice, elsewhere, total, onAll, onClear, done, onDone }: BulkBarProps) {
  const { changeMany, undo } = useCatalogueChanges();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const number = chosen(choice);
  const which = useMemo(() => choice.all ?? [...choice.titles.keys()], [choice]);
  const named = [...choice.titles].slice(0, 3);
  const shown = done !== undefined || number > 0;

  const apply = async (wanted: BulkChange) => {
    setAsking(false);
    try {
      const outcome = await changeMany(which, wanted);
      const verb = wanted.action === "delete" ? "deleted" : "changed";
      const [title] = choice.titles.values();
      const one = title !== undefined && number === 1 && outcome.changed === 1;
      onClear();
      onDone({
        key: outcome.undo,
        message: one ? `${quoted({ title })} is ${verb}.` : `${products(outcome.changed)} ${verb}.`,
        undo: () => undo(outcome.undo),
      });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };

  const takeBack = useTakeBack(() => onDone(undefined));

  return (
    <div className={shown ? "bulk" : undefined}>
      <p role="status" className={shown ? "bulk-message" : "sr-only"}>
        {done ? done.message : selectionText(number, elsewhere)}
      </p>
      {done && (
        <UndoButton key={done.key} onUndo={() => void takeBack(done)} onOver={() => onDone(undefined)} />
      )}
      {number > 0 && (
        <>
          {total !== undefined && number < total && (
            <Button variant="plain" onClick={onAll}>
              Choose all {count(total)}
            </Button>
          )}
          <BulkForm which={which} onApply={(wanted) => void apply(wanted)} />
          <Button variant="danger" onClick={() => setAsking(true)}>
            Delete
          </Button>
          <Button variant="plain" aria-label="Choose none" onClick={onClear}>
            <Icon of={cross} />
          </Button>
        </>
      )}
      {asking && (
        <Confirm
          title={`Delete ${products(number)}?`}
          confirm="Delete"
          onConfirm={() => void apply({ action: "delete" })}
          onCancel={() => setAsking(false)}
        >
          <ul className="list-disc ps-5 pb-2">
            {named.map(([id, title]) => (
              <li key={id}>{title}</li>
            ))}
            {number > named.length && <li>and {count(number - named.length)} more</li>}
          </ul>
          {elsewhere > 0 && <p>{`${products(elsewhere)} of them can't be seen on this page.`}</p>}
          <p>For a minute this can be undone.</p>
        </Confirm>
      )}
    </div>
  );
}

function selectionText(number: number, elsewhere: number): string {
  return `${products(number)} chosen${elsewhere > 0 ? `, ${count(elsewhere)} of them on other pages` : ""}`;
}
