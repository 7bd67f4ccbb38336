import { useEffect, useId, useState } from "react";
import { type BulkChange, useCatalogueChanges } from "../../api/admin";
import { failureText } from "../../api/failure";
import { CATEGORIES } from "../../api/products";
import { count } from "../../lib/rupees";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Select } from "../../ui/form/select";
import { useToast } from "../../ui/toast/toast";

/** Seconds that a change of many products can be undone. */
const UNDO = 10;

interface BulkBarProps {
  chosen: ReadonlySet<string>;
  /** Called once the chosen products were changed. */
  onDone: () => void;
}

const CHOICES = [
  { value: "", label: "Change…" },
  ...CATEGORIES.map((category) => ({ value: category, label: category })),
];

function products(number: number): string {
  return `${count(number)} ${number === 1 ? "product" : "products"}`;
}

/** What can be done with the chosen products, and for a while undone. */
export function BulkBar({ chosen, onDone }: BulkBarProps) {
  const { change, undo } = useCatalogueChanges();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState<{ undo: string; said: string }>();

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
    <div className="flex min-h-11 flex-wrap items-center gap-3">
      <p role="status" className="text-sm">
        {done ? done.said : `${products(chosen.size)} chosen`}
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
          <Select
            id="bulk-category"
            name="bulkCategory"
            label="Category"
            value=""
            options={CHOICES}
            onChange={(value) => value !== "" && void apply({ action: "category", value })}
          />
          <DiscountForm onApply={(value) => void apply({ action: "discount", value })} />
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
          For {UNDO} seconds this can be undone.
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

function DiscountForm({ onApply }: { onApply: (discount: number) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const discount = Number(text);
  const valid = text.trim() !== "" && discount >= 0 && discount <= 100;
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid) {
          onApply(discount);
          setText("");
        }
      }}
    >
      <label htmlFor={id} className="text-sm text-ink-3">
        Discount %
      </label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="tabular h-11 w-16 rounded border border-line bg-paper px-2 text-base hover:border-ink-3 wide:h-9 wide:text-sm"
      />
      <Button type="submit" disabled={!valid}>
        Set
      </Button>
    </form>
  );
}
