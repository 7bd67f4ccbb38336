import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Button } from "../button";
import { Confirm } from "../dialog";
import { useLeaveGuard } from "../leave-guard";

/** A form with unsaved changes. */
export interface Unsaved {
  save: () => Promise<unknown>;
  /** Goes back to what is saved, and returns a function that brings the changes back. */
  discard: () => () => void;
  /** A copy of the changes outlives the screen, whose form asks before it is left. */
  kept?: boolean;
}

type Forms = ReadonlyMap<string, RefObject<Unsaved | undefined>>;
type Register = (id: string, form: RefObject<Unsaved | undefined> | undefined) => void;

const RegisterContext = createContext<Register>(() => undefined);

/** Shows the save bar of the screen while a form has unsaved changes. */
export function useUnsaved(form: Unsaved | undefined): void {
  const register = useContext(RegisterContext);
  const id = useId();
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  const is = form !== undefined;
  useEffect(() => {
    if (!is) {
      return;
    }
    register(id, latest);
    return () => register(id, undefined);
  }, [register, id, is]);
}

/** One bar for all forms of a screen, always in sight: it saves or discards what is unsaved. */
export function SaveBarProvider({ children }: { children: ReactNode }) {
  const [forms, setForms] = useState<Forms>(new Map());
  const [undo, setUndo] = useState<() => void>();
  const [pending, setPending] = useState(false);
  const register = useCallback<Register>((id, form) => {
    setForms((before) => {
      const after = new Map(before);
      if (form) {
        after.set(id, form);
      } else {
        after.delete(id);
      }
      return after;
    });
    if (form) {
      setUndo(undefined);
    }
  }, []);
  const unsaved = () => [...forms.values()].flatMap(({ current }) => current ?? []);

  const save = async () => {
    setPending(true);
    try {
      // One after the other: each save is based on the version that the one before made.
      for (const form of unsaved()) {
        await form.save();
      }
    } finally {
      setPending(false);
      keepFocus();
    }
  };
  const discard = () => {
    const undos = unsaved().map((form) => form.discard());
    setUndo(() => () => {
      for (const bringBack of undos) {
        bringBack();
      }
    });
  };
  return (
    <RegisterContext value={register}>
      {children}
      <UnsavedBar
        unsaved={forms.size > 0}
        pending={pending}
        onSave={() => void save()}
        onDiscard={discard}
        onUndo={undo}
      />
      <LeavingAsks active={!pending && [...forms.values()].some(({ current }) => current?.kept !== true)} />
    </RegisterContext>
  );
}

interface UnsavedBarProps {
  unsaved: boolean;
  pending: boolean;
  onSave: () => void;
  onDiscard: () => void;
  /** Present after changes were discarded. */
  onUndo: (() => void) | undefined;
}

function UnsavedBar({ unsaved, pending, onSave, onDiscard, onUndo }: UnsavedBarProps) {
  const shown = unsaved || onUndo !== undefined;
  return (
    <div className={shown ? "bulk save-bar" : undefined}>
      <p role="status" className={shown ? "bulk-message" : "sr-only"}>
        {unsaved ? "Unsaved changes" : onUndo && "Changes discarded"}
      </p>
      {unsaved && (
        <>
          <Button disabled={pending} onClick={onDiscard}>
            Discard
          </Button>
          <Button variant="primary" disabled={pending} onClick={onSave}>
            {pending ? "Saving..." : "Save"}
          </Button>
        </>
      )}
      {!unsaved && onUndo && <UndoButton onUndo={onUndo} />}
    </div>
  );
}

/** Takes the focus of the button that it replaces. */
function UndoButton({ onUndo }: { onUndo: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) {
      button.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <Button
      ref={button}
      onClick={() => {
        onUndo();
        keepFocus();
      }}
    >
      Undo
    </Button>
  );
}

/** Gives the focus of a button that goes to the heading. */
function keepFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) {
      document.querySelector("h1")?.focus({ preventScroll: true });
    }
  });
}

function LeavingAsks({ active }: { active: boolean }) {
  const { asking, leave, stay } = useLeaveGuard(active);
  if (!asking) {
    return null;
  }
  return (
    <Confirm title="Leave without saving?" confirm="Leave" cancel="Stay" onConfirm={leave} onCancel={stay}>
      What you changed here is lost then.
    </Confirm>
  );
}
