import type { ReactNode } from "react";

/** A screen, or part of one, that has something to say instead of products. */
export function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3 border-t border-line py-10">
      <p className="text-base font-semibold">{title}</p>
      {children}
    </div>
  );
}
