import { type ReactNode, useEffect, useId, useRef } from "react";

/** A panel above a form that asks something. It takes the focus: the submit button is at the form's end. */
export function Question({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: "start" });
    section.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={section} tabIndex={-1} aria-labelledby={id} className="panel mb-4 scroll-mt-16">
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
