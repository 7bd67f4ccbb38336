import type { ReactNode } from "react";
import { Button } from "./button";
import { Notice } from "./notice";

interface OfficeListProps<T> {
  title: string;
  /** Message of a list that could not be loaded. */
  failure: string;
  /** Message of an empty list. */
  none: string;
  call: { data?: { data: T[] } | undefined; error: unknown; mutate: () => Promise<unknown> };
  /** Renders the row of an item. */
  children: (item: T) => ReactNode;
}

/** The rows of a call's answer in a pane of the office. */
export function OfficeList<T>({ title, failure, none, call, children }: OfficeListProps<T>) {
  const { data, error, mutate } = call;
  if (!data) {
    return error ? (
      <Notice title={failure}>
        <Button onClick={() => void mutate()}>Retry</Button>
      </Notice>
    ) : null;
  }
  return (
    <section aria-label={title} className="pane">
      <div className="pane-head">
        <h2>{title}</h2>
      </div>
      {data.data.length === 0 ? (
        <p className="hint">{none}</p>
      ) : (
        <ul className="deal-rows">{data.data.map(children)}</ul>
      )}
    </section>
  );
}
