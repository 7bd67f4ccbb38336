import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useLocation } from "react-router-dom";
import { DURATION, type ShownToast, type ToastMessage } from "./toast-message";

const ToastContext = createContext<(message: ToastMessage) => void>(() => undefined);

const ClearContext = createContext<() => void>(() => undefined);

/** Takes a failure away that is being tried again. */
export function useClearFailure(): () => void {
  return useContext(ClearContext);
}

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
  const { pathname } = useLocation();
  const screen = useRef(pathname);
  const show = useCallback((message: ToastMessage) => {
    setToast((previous) => ({
      ...message,
      id: (previous?.id ?? 0) + 1,
      open: true,
      screen: screen.current,
    }));
  }, []);
  // A failure goes with the screen that it belongs to.
  useEffect(() => {
    screen.current = pathname;
    setToast((current) =>
      current?.failure && !current.stays && current.screen !== pathname
        ? { ...current, open: false }
        : current,
    );
  }, [pathname]);
  const clearFailure = useCallback(() => {
    setToast((current) => (current?.failure ? { ...current, open: false } : current));
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
      <ClearContext value={clearFailure}>{children}</ClearContext>
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
      className="toast fixed inset-x-4 bottom-32 z-50 mx-auto max-w-sm px-4 py-3 text-sm wide:bottom-6"
    >
      <p className="font-semibold">{toast.title}</p>
      {toast.description && <p>{toast.description}</p>}
    </div>
  ) : null;
}
