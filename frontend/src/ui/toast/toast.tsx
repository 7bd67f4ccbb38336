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

/** Removes a failure whose action is being retried. */
export function useClearFailure(): () => void {
  return useContext(ClearContext);
}

/** Shows a toast instead of the visible one. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext);
}

// Toasts follow user actions, so the code is loaded with the first one.
const loadRegion = () =>
  import("./toast-region").then(
    ({ ToastRegion }) => ({ default: ToastRegion }),
    () => ({ default: PlainToast }),
  );
const ToastRegion = lazy(loadRegion);
const TOUCHES = ["pointerdown", "keydown"] as const;

/**
 * Shows one toast at a time. A dismissed one stays mounted until the next (the spec's
 * removal delay), so that it is announced to its end.
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
  // A failure is removed with the screen that it belongs to.
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

/** Shown if the region's code can't be loaded. */
function PlainToast({ toast, onOpenChange }: PlainToastProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another toast has its own timer
  useEffect(() => {
    const timer = setTimeout(() => onOpenChange(false), DURATION);
    return () => clearTimeout(timer);
  }, [toast.id, onOpenChange]);
  return toast.open ? (
    <div role="status" className="toast toasts px-4 py-3 text-sm">
      <p className="font-semibold">{toast.title}</p>
      {toast.description && <p>{toast.description}</p>}
    </div>
  ) : null;
}
