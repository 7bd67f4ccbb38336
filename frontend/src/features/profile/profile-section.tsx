import { type ReactNode, useId } from "react";

/** Section of the profile, below a line. */
export function ProfileSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex max-w-[30rem] flex-col gap-4 border-t border-line pt-6">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
