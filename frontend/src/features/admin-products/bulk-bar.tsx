import { useEffect, useState } from "react";
import { type BulkChange, useCatalogueChanges } from "../../api/admin";
import { failureText } from "../../api/failure";
import { count } from "../../lib/rupees";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { useToast } from "../../ui/toast/toast";
import { BulkForm } from "./bulk-form";

/** Seconds that a change of many products can be undone. */
const UNDO = 10;

interface BulkBarProps {
  chosen: ReadonlySet<string>;
  /** How many of them are not on the page that is shown. */
  elsewhere: number;
  /** Called once the chosen products were changed. */
  onDone: () => void;
}

function products(number: number): string {
  return `${count(number)} ${number === 1 ? "product" : "products"}`;
}

/** What can be done with the chosen products, and for a while undone. */
export function BulkBar({ chosen, elsewhere, onDone }: BulkBarProps) {
  const { change, undo } = useCatalogueChanges();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState<{ undo: string; said: string }>();

  const told = `${products(chosen.size)} chosen${elsewhere > 0 ? `, ${count(elsewhere)} of them on other pages` : ""}`;
  const shown = done !== undefined || chosen.size > 0;

  const apply = async (wanted: BulkChange) => {
    setAsking(false);
    try {
      const outcome = await change([...chosen], wanted);
      const verb = wanted.action === "delete" ? "deleted" : "changed";
      setDone({ undo: outcome.undo, said: `${products(outcome.changed)} ${verb}.` });
      onDone();
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };

  const takeBack = async (id: string) => {
    setDone(undefined);
    try {
      await undo(id);
      toast({ title: "Undone" });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };

  return (
    <div className={shown ? "bulk" : undefined}>
      <p role="status" className={shown ? "text-sm" : "sr-only"}>
        {done ? done.said : told}
      </p>
      {done && (
        <UndoButton
          key={done.undo}
          onUndo={() => void takeBack(done.undo)}
          onOver={() => setDone(undefined)}
        />
      )}
      {chosen.size > 0 && (
        <>
          <BulkForm onApply={(wanted) => void apply(wanted)} />
          <Button look="danger" onClick={() => setAsking(true)}>
            Delete
          </Button>
        </>
      )}
      {asking && (
        <Confirm
          title={`Delete ${products(chosen.size)}?`}
          confirm="Delete"
          onConfirm={() => void apply({ action: "delete" })}
          onCancel={() => setAsking(false)}
        >
          {elsewhere > 0 && <p>{`${products(elsewhere)} of them can't be seen on this page.`}</p>}
          <p>{`For ${UNDO} seconds this can be undone.`}</p>
        </Confirm>
      )}
    </div>
  );
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
  return <Button onClick={onUndo}>Undo ({left} s)</Button>;
}
