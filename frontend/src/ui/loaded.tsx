import type { ReactNode } from "react";
import { Button } from "./button";
import { Notice } from "./notice";

interface LoadedProps<T> {
  call: { data: T | undefined; error: unknown; mutate: () => unknown };
  failure: string;
  children: (data: T) => ReactNode;
}

/** Shows what was loaded, or that it is loading or could not be. */
export function Loaded<T>({ call: { data, error, mutate }, failure, children }: LoadedProps<T>) {
  if (data !== undefined) {
    return children(data);
  }
  return error ? (
    <NotLoaded title={failure} onRetry={mutate} />
  ) : (
    <p role="status" className="quiet">
      Loading...
    </p>
  );
}

/** Says that something could not be loaded, and asks again by a button. */
export function NotLoaded({ title, onRetry }: { title: string; onRetry: () => unknown }) {
  return (
    <Notice title={title}>
      <Button onClick={() => void onRetry()}>Retry</Button>
    </Notice>
  );
}
