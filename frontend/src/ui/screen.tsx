import type { ReactNode } from "react";
import { PageTitle } from "../shop/shop";

interface ScreenProps {
  title: string;
  children: ReactNode;
}

/** A screen with a heading and one column. */
export function Screen({ title, children }: ScreenProps) {
  return (
    <div className="flex flex-col gap-6 py-6 wide:py-10">
      <PageTitle of={title} />
      <h1 tabIndex={-1} className="text-lg font-semibold">
        {title}
      </h1>
      {children}
    </div>
  );
}
