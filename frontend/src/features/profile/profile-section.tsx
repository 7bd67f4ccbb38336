import { type ReactNode, useId } from "react";
import { SURFACE } from "../../ui/screen";

/** Section of the profile, on a surface of its own. */
export function ProfileSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={SURFACE}>
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
