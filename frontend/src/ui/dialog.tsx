import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button";

interface ConfirmProps {
  title: string;
  children: ReactNode;
  confirm: string;
  cancel?: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/**
 * Asks before something that can't be taken back. The browser's own dialog keeps
 * the focus inside, closes on Escape and gives the focus back.
 */
export function Confirm({ title, children, confirm, cancel = "Cancel", onConfirm, onCancel }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
      className="m-auto w-[min(26rem,calc(100vw-2rem))] rounded border border-ink-3 bg-paper p-4 text-ink backdrop:bg-ink/40"
    >
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      <div className="py-3 text-sm break-words text-ink-2">{children}</div>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{cancel}</Button>
        <Button look="danger" onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </dialog>
  );
}
