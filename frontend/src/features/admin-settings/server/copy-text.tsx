import type { ReactNode } from "react";
import { Button } from "../../../ui/button";
import { useCopy } from "../../../ui/form/shown-once";

interface CopyTextProps {
  text: string;
  /** Purpose of the text. */
  children: ReactNode;
}

/** A text for somebody else, with a button that copies it. */
export function CopyText({ text, children }: CopyTextProps) {
  const { copy, element, message } = useCopy<HTMLPreElement>(text, "text");
  return (
    <div className="grid max-w-[40rem] gap-2">
      <p>{children}</p>
      <pre
        ref={element}
        className="whitespace-pre-wrap rounded-[6px] border border-line bg-raised p-3 font-[inherit] text-sm wrap-anywhere"
      >
        {text}
      </pre>
      <p className="flex flex-wrap items-center gap-2">
        <Button onClick={copy}>Copy</Button>
        <span role="status" className="hint">
          {message}
        </span>
      </p>
    </div>
  );
}
