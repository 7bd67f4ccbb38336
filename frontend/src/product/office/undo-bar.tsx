import { useEffect, useRef, useState } from "react";
import { failureText } from "../../api/failure";
import { Button } from "../../ui/button";
import { useToast } from "../../ui/toast/toast";
import type { Done } from "./row-changes";

/** Seconds for which a change can be undone: the server keeps it for a minute. */
const UNDO = 55;

interface UndoBarProps {
  done: Done | undefined;
  onOver: () => void;
}

/** Returns a function that undoes a change and says so. */
export function useTakeBack(onOver: () => void) {
  const toast = useToast();
  return async (what: Done) => {
    onOver();
    document.querySelector("h1")?.focus({ preventScroll: true });
    try {
      await what.undo();
      toast({ title: "Undone" });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };
}

/** Says what was changed, in reach of the thumb, and undoes it. */
export function UndoBar({ done, onOver }: UndoBarProps) {
  const takeBack = useTakeBack(onOver);
  return (
    <div className={done ? "bulk" : undefined}>
      <p role="status" className={done ? "bulk-message" : "sr-only"}>
        {done?.message}
      </p>
      {done && <UndoButton key={done.key} onUndo={() => void takeBack(done)} onOver={onOver} />}
    </div>
  );
}

interface UndoButtonProps {
  onUndo: () => void;
  onOver: () => void;
}

export function UndoButton({ onUndo, onOver }: UndoButtonProps) {
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
  // The row with the focused button may be gone.
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
