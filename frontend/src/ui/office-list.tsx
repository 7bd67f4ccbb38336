import type { ReactNode } from "react";
import { Loaded } from "./loaded";

interface OfficeListProps<T> {
  title: string;
  /** Message of a list that could not be loaded. */
  failure: string;
  /** Message of an empty list. */
  none: string;
  call: { data: { data: T[] } | undefined; error: unknown; mutate: () => Promise<unknown> };
  /** Renders the row of an item. */
  children: (item: T) => ReactNode;
}

/** The rows of a call's answer in a pane of the office. */
export function OfficeList<T>({ title, failure, none, call, children }: OfficeListProps<T>) {
  return (
    <Loaded call={call} failure={failure}>
      {({ data }) => (
        <section aria-label={title} className="pane">
          <div className="pane-head">
            <h2>{title}</h2>
          </div>
          {data.length === 0 ? (
            <p className="hint">{none}</p>
          ) : (
            <ul className="deal-rows">{data.map(children)}</ul>
          )}
        </section>
      )}
    </Loaded>
  );
}
