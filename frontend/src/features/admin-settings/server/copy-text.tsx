import type { ReactNode } from "react";
import { Button } from "../../../ui/button";
import { useToast } from "../../../ui/toast/toast";

interface CopyTextProps {
  text: string;
  /** What it is for. */
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
    <div className="setup-how">
      <p>{children}</p>
      <pre className="font-[inherit]">{text}</pre>
      <Button className="justify-self-start" onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
