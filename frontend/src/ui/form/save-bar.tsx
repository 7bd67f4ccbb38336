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
import { useLeaveGuard } from "./leave-guard";

/** A form with unsaved changes. */
export interface Unsaved {
  save: () => Promise<unknown>;
  /** Goes back to what is saved, and returns a function that brings the changes back. */
  discard: () => () => void;
  /** A copy of the changes outlives the screen, whose form asks before it is left. */
  kept?: boolean;
  /** The form has a button of its own: the bar neither shows nor saves it. */
  own?: boolean;
  /** Text of the button in place of “Save”, and while it saves. */
  submit?: string;
  pending?: string;
  /** The form is being saved, by Enter too. */
  busy?: boolean;
  /** Nothing was typed yet: there is nothing to discard. */
  fresh?: boolean;
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
  const { submit, pending, busy, fresh } = form ?? {};
  const is = form !== undefined && [submit, pending, busy, fresh].join();
  useEffect(() => {
    if (is === false) {
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
    if (form?.current && form.current.fresh !== true && !form.current.own) {
      setUndo(undefined);
    }
  }, []);
  const unsaved = () =>
    [...forms.values()].flatMap(({ current }) => (current && !current.own ? current : []));

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
      <Bar
        unsaved={unsaved()}
        pending={pending}
        onSave={() => void save()}
        onDiscard={discard}
        onUndo={undo}
      />
      <LeavingAsks active={!pending && [...forms.values()].some(({ current }) => current?.kept !== true)} />
    </RegisterContext>
  );
}

interface BarProps {
  unsaved: Unsaved[];
  pending: boolean;
  onSave: () => void;
  onDiscard: () => void;
  /** Present after changes were discarded. */
  onUndo: (() => void) | undefined;
}

function Bar({ unsaved, pending, onSave, onDiscard, onUndo }: BarProps) {
  const [first] = unsaved;
  const shown = first !== undefined || onUndo !== undefined;
  const busy = pending || unsaved.some((form) => form.busy);
  const changed = unsaved.some(({ fresh }) => fresh !== true);
  return (
    // On phones it covers nothing before there is something to save.
    <div className={shown ? "bulk save-bar" : undefined} data-fresh={!changed && !onUndo ? "" : undefined}>
      <p role="status" className={shown ? "bulk-message" : "sr-only"}>
        {changed ? "Unsaved changes" : onUndo && "Changes discarded"}
      </p>
      {first && (
        <>
          {changed && (
            <Button disabled={busy} onClick={onDiscard}>
              Discard
            </Button>
          )}
          <Button variant="primary" disabled={busy} onClick={onSave}>
            {busy ? (first.pending ?? "Saving...") : (first.submit ?? "Save")}
          </Button>
        </>
      )}
      {!changed && onUndo && <UndoButton onUndo={onUndo} />}
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
      Your changes here will be lost.
    </Confirm>
  );
}
