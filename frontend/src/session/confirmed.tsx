import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { onCodeNeeded } from "../api/client";

const CodeDialog = lazy(() => import("./code-dialog"));

/** Asks for a code of the second factor when a call needs one, which is then repeated. */
export function AsksForCode() {
  const waiting = useRef<((again: boolean) => void)[]>([]);
  const [open, setOpen] = useState(false);
  const settle = useCallback((again: boolean) => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) {
      resolve(again);
    }
  }, []);
  useEffect(() => {
    const stop = onCodeNeeded(() => {
      setOpen(true);
      return new Promise<boolean>((resolve) => waiting.current.push(resolve));
    });
    return () => {
      stop();
      settle(false);
    };
  }, [settle]);
  return (
    open && (
      <Suspense>
        <CodeDialog onDone={() => settle(true)} onCancel={() => settle(false)} />
      </Suspense>
    )
  );
}
