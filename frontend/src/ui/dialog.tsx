import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button";

interface DialogProps {
  /** Its name, or the id of the element that says it. */
  label?: string;
  labelledBy?: string;
  className: string;
  /** Called by Escape and by a press beside it. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * The browser's own dialog over the page: it keeps the focus inside and closes on Escape. It
 * gives the focus back to where it was, which a dialog that is taken away does not do by itself.
 */
export function Dialog({ label, labelledBy, className, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) {
        before.focus({ preventScroll: true });
      }
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      aria-labelledby={labelledBy}
      className={className}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) {
          onClose();
        }
      }}
    >
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  children: ReactNode;
  confirm: string;
  cancel?: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something that nobody should do by accident. */
export function Confirm({ title, children, confirm, cancel = "Cancel", onConfirm, onCancel }: ConfirmProps) {
  const id = useId();
  return (
    <Dialog labelledBy={id} className="confirm" onClose={onCancel}>
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
    </Dialog>
  );
}
