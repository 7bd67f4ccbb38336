import type { ReactNode } from "react";
import { Button } from "../../../ui/button";
import { useToast } from "../../../ui/toast/toast";

interface CopyTextProps {
  text: string;
  /** Purpose of the text. */
  children: ReactNode;
}

/** A text for somebody else, with a button that copies it. */
export function CopyText({ text, children }: CopyTextProps) {
  const toast = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: "Copied" });
    } catch {
      toast({ title: "The text could not be copied", description: text, failure: true });
    }
  };
  return (
    <div className="grid max-w-[40rem] gap-2">
      <p>{children}</p>
      <pre className="whitespace-pre-wrap rounded-[6px] border border-line bg-raised p-3 font-[inherit] text-sm wrap-anywhere">
        {text}
      </pre>
      <Button className="justify-self-start" onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
