import type { ReactNode } from "react";
import { PageTitle } from "../shop/shop";

interface OfficeScreenProps {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen of the office: heading and actions on one line, content below. */
export function OfficeScreen({ title, note, actions, children }: OfficeScreenProps) {
  return (
    <>
      <PageTitle of={title} />
      <div className="office-head">
        <h1 tabIndex={-1}>{title}</h1>
        {note !== undefined && <p className="quiet">{note}</p>}
        {actions !== undefined && <div className="office-actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

interface BlockProps {
  title: string;
  note?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Block({ title, note, className, children }: BlockProps) {
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return (
    <section aria-labelledby={id} className={className === undefined ? "pane" : `pane ${className}`}>
      <div className="pane-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {note !== undefined && <p className="quiet">{note}</p>}
      </div>
      {children}
    </section>
  );
}
