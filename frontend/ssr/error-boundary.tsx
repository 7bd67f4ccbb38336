import type { ReactNode } from "react";

/** Stands in for the boundary of `src/app` in the server's bundle: a page that throws is not sent. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return children;
}
