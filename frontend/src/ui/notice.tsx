import type { ReactNode } from "react";

/** A message in the place of products. */
export function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="notice">
      <p className="notice-title">{title}</p>
      {children}
    </div>
  );
}
