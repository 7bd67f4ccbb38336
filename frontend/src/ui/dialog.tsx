import { type ReactNode, useEffect, useId, useRef } from "react";
import { cancelButton } from "../texts/en.json";
import { Button } from "./button";

interface DialogProps {
  /** The dialog's name, or the id of the element with the name. */
  label?: string;
  labelledBy?: string;
  className: string;
  /** Called on Escape and on a click outside. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * A native modal dialog: it traps the focus and closes on Escape. Restores the focus on
 * unmount, which the browser does only on close.
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
  /** Something is to be chosen first. */
  disabled?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

export function Confirm({
  title,
  children,
  confirm,
  cancel = cancelButton,
  disabled = false,
  onConfirm,
  onCancel,
}: ConfirmProps) {
  const id = useId();
  return (
    <Dialog labelledBy={id} className="confirm" onClose={onCancel}>
      <h2 id={id}>{title}</h2>
      <div className="py-3 text-sm break-words text-ink-2">{children}</div>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{cancel}</Button>
        <Button className="border-transparent bg-danger text-surface" disabled={disabled} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
