import type { ReactNode } from "react";
import { PageTitle } from "../shop/shop";

interface OfficeScreenProps {
  title: string;
  /** What is known of it, beside its heading. */
  aside?: ReactNode;
  /** What can be done, at the other end. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen of the office: what it is and what can be done on one line, and its parts below. */
export function OfficeScreen({ title, aside, actions, children }: OfficeScreenProps) {
  return (
    <>
      <PageTitle of={title} />
      <div className="office-head">
        <h1 tabIndex={-1}>{title}</h1>
        {aside !== undefined && <p className="quiet">{aside}</p>}
        {actions !== undefined && <div className="office-actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

interface BlockProps {
  title: string;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A part of a screen of the office, by its heading. */
export function Block({ title, aside, className, children }: BlockProps) {
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return (
    <section aria-labelledby={id} className={className === undefined ? "pane" : `pane ${className}`}>
      <div className="pane-head">
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <p className="quiet">{aside}</p>}
      </div>
      {children}
    </section>
  );
}
