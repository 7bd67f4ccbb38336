import * as Radix from "@radix-ui/react-toast";
import { X } from "lucide-react";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { classNames } from "./class-names";

/** What a toast says; `failure` is announced at once and looks it. */
export interface ToastMessage {
  title: string;
  description?: string;
  failure?: boolean;
}

interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

/** Milliseconds a toast stays (spec section 9). */
const DURATION = 5_000;
/** Pixels of a swipe that dismiss it (spec section 9). */
const SWIPE_THRESHOLD = 50;

const ToastContext = createContext<(message: ToastMessage) => void>(() => undefined);

/** Shows a toast in place of the one that is visible. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext);
}

/**
 * Shows one toast at a time. A dismissed one stays mounted until the next, as
 * the spec's removal delay has it, which lets it be announced to its end.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<ShownToast>();
  const show = useCallback((message: ToastMessage) => {
    setToast((previous) => ({ ...message, id: (previous?.id ?? 0) + 1, open: true }));
  }, []);
  const setOpen = useMemo(
    () => (open: boolean) => setToast((current) => current && { ...current, open }),
    [],
  );
  return (
    <ToastContext value={show}>
      <Radix.Provider
        duration={DURATION}
        swipeThreshold={SWIPE_THRESHOLD}
        swipeDirection="right"
        label="Notification"
      >
        {children}
        {toast && <Toast key={toast.id} toast={toast} onOpenChange={setOpen} />}
        <Radix.Viewport
          className="fixed inset-x-4 bottom-32 z-50 mx-auto flex max-w-sm flex-col wide:bottom-6 wide:right-6 wide:left-auto wide:w-96"
          label="Notifications ({hotkey})"
        />
      </Radix.Provider>
    </ToastContext>
  );
}

function Toast({ toast, onOpenChange }: { toast: ShownToast; onOpenChange: (open: boolean) => void }) {
  return (
    <Radix.Root
      open={toast.open}
      onOpenChange={onOpenChange}
      type={toast.failure ? "foreground" : "background"}
      className={classNames(
        "flex items-start gap-3 rounded border bg-paper py-2 pr-1 pl-4 text-ink",
        toast.failure ? "border-danger" : "border-ink-3",
        "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
      )}
    >
      <div className="min-w-0 flex-1 py-2">
        <Radix.Title className={classNames("text-sm font-semibold", toast.failure && "text-danger")}>
          {toast.title}
        </Radix.Title>
        {toast.description && (
          <Radix.Description className="text-sm text-ink-2">{toast.description}</Radix.Description>
        )}
      </div>
      <Radix.Close
        aria-label="Close"
        className="grid size-11 place-items-center rounded text-ink-2 hover:bg-raised wide:size-9"
      >
        <X aria-hidden size={16} />
      </Radix.Close>
    </Radix.Root>
  );
}
