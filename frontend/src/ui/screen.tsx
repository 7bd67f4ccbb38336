import type { ReactNode } from "react";
import { PageTitle } from "../shop/shop";
import { classNames } from "./class-names";

/** A surface on the paper of the page. */
export const SURFACE = "flex flex-col gap-4 rounded-card border border-line bg-surface p-4 wide:p-6";

interface ScreenProps {
  title: string;
  /** A short form: on a surface of its own, in the middle. */
  isForm?: boolean;
  children: ReactNode;
}

/** A screen with a heading and one column. */
export function Screen({ title, isForm = false, children }: ScreenProps) {
  return (
    <div
      className={classNames("flex flex-col gap-6 py-6 wide:py-10", isForm && "mx-auto w-full max-w-[30rem]")}
    >
      <PageTitle of={title} />
      <h1 tabIndex={-1} className="font-display text-xl font-heavy">
        {title}
      </h1>
      {isForm ? <div className={SURFACE}>{children}</div> : children}
    </div>
  );
}
