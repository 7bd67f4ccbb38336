import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import { DURATION, type ShownToast, type ToastMessage } from "./toast-message";

const ToastContext = createContext<(message: ToastMessage) => void>(() => undefined);

/** Shows a toast in place of the one that is visible. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext);
}

// Only what somebody does brings a toast, so its code comes with the first touch.
const loadRegion = () =>
  import("./toast-region").then(
    ({ ToastRegion }) => ({ default: ToastRegion }),
    () => ({ default: PlainToast }),
  );
const ToastRegion = lazy(loadRegion);
const TOUCHES = ["pointerdown", "keydown"] as const;

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

  useEffect(() => {
    const load = () => {
      forget();
      void loadRegion();
    };
    const forget = () => {
      for (const touch of TOUCHES) {
        window.removeEventListener(touch, load, true);
      }
    };
    for (const touch of TOUCHES) {
      window.addEventListener(touch, load, true);
    }
    return forget;
  }, []);

  return (
    <ToastContext value={show}>
      {children}
      {toast && (
        <Suspense>
          <ToastRegion toast={toast} onOpenChange={setOpen} />
        </Suspense>
      )}
    </ToastContext>
  );
}

interface PlainToastProps {
  toast: ShownToast;
  onOpenChange: (open: boolean) => void;
}

/** For when the network is gone before the region's code came. */
function PlainToast({ toast, onOpenChange }: PlainToastProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another toast has its own time
  useEffect(() => {
    const timer = setTimeout(() => onOpenChange(false), DURATION);
    return () => clearTimeout(timer);
  }, [toast.id, onOpenChange]);
  return toast.open ? (
    <div
      role="status"
      className="fixed inset-x-4 bottom-32 z-50 mx-auto max-w-sm rounded border border-ink-3 bg-paper px-4 py-3 text-sm wide:bottom-6"
    >
      {[toast.title, toast.description].filter(Boolean).join(". ")}
    </div>
  ) : null;
}
