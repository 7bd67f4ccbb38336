import cross from "icon:x";
import { useEffect, useRef, useState } from "react";
import { failureText } from "../../api/failure";
import { type BulkChange, useCatalogueChanges } from "../../api/office/catalogue";
import { count, counted } from "../../lib/rupees";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import { useToast } from "../../ui/toast/toast";
import { BulkForm } from "./bulk-form";
import { type Choice, chosen, type Done } from "./choice";

/** Seconds that a change can be undone: the server keeps it for a minute. */
const UNDO = 55;

interface BulkBarProps {
  choice: Choice;
  /** How many of the chosen are not on the page that is shown. */
  elsewhere: number;
  /** How many the whole list has, where it can be chosen as a whole. */
  total: number | undefined;
  onWhole: () => void;
  onClear: () => void;
  /** What was done last, while it can be taken back. */
  done: Done | undefined;
  onDone: (done: Done | undefined) => void;
}

function products(number: number): string {
  return counted(number, "product", "products");
}

/** What can be done with the chosen products, and for a while undone. */
export function BulkBar({ choice, elsewhere, total, onWhole, onClear, done, onDone }: BulkBarProps) {
  const { change, undo } = useCatalogueChanges();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const number = chosen(choice);
  const shown = done !== undefined || number > 0;

  const apply = async (wanted: BulkChange) => {
    setAsking(false);
    try {
      const outcome = await change(choice.whole ?? [...choice.ids], wanted);
      const verb = wanted.action === "delete" ? "deleted" : "changed";
      onClear();
      onDone({
        key: outcome.undo,
        said: `${products(outcome.changed)} ${verb}.`,
        undo: () => undo(outcome.undo),
      });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };

  const takeBack = async (what: Done) => {
    onDone(undefined);
    document.querySelector("h1")?.focus();
    try {
      await what.undo();
      toast({ title: "Undone" });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };

  return (
    <div className={shown ? "bulk" : undefined}>
      <p role="status" className={shown ? "bulk-said" : "sr-only"}>
        {done ? done.said : told(number, elsewhere)}
      </p>
      {done && (
        <UndoButton key={done.key} onUndo={() => void takeBack(done)} onOver={() => onDone(undefined)} />
      )}
      {number > 0 && (
        <>
          {total !== undefined && number < total && (
            <Button look="plain" onClick={onWhole}>
              Choose all {count(total)}
            </Button>
          )}
          <BulkForm onApply={(wanted) => void apply(wanted)} />
          <Button look="danger" onClick={() => setAsking(true)}>
            Delete
          </Button>
          <Button look="plain" aria-label="Choose none" onClick={onClear}>
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
          {elsewhere > 0 && <p>{`${products(elsewhere)} of them can't be seen on this page.`}</p>}
          <p>For a minute this can be undone.</p>
        </Confirm>
      )}
    </div>
  );
}

function told(number: number, elsewhere: number): string {
  return `${products(number)} chosen${elsewhere > 0 ? `, ${count(elsewhere)} of them on other pages` : ""}`;
}

function UndoButton({ onUndo, onOver }: { onUndo: () => void; onOver: () => void }) {
  const [left, setLeft] = useState(UNDO);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (left <= 0) {
      onOver();
    }
  }, [left, onOver]);
  // What was pressed may have gone with the row.
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) {
      button.current?.focus();
    }
  }, []);
  return (
    <Button ref={button} onClick={onUndo}>
      Undo ({left} s)
    </Button>
  );
}
