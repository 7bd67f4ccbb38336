import { useEffect, useRef } from "react";
import { Button, ButtonAnchor } from "../../../ui/button";
import { useCopy } from "../../../ui/form/shown-once";

interface RecoveryCodesProps {
  codes: string[];
  onDone: () => void;
}

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const text = `${codes.join("\n")}\n`;
  const { copy, element, message } = useCopy<HTMLUListElement>(text, "list of codes");
  return (
    <div className="flex max-w-[30rem] flex-col gap-4 rounded-card border border-line bg-surface p-4">
      <h3 ref={title} tabIndex={-1} className="font-semibold">
        Keep these recovery codes
      </h3>
      <p className="text-sm text-ink-2">
        Each signs you in once if your phone is lost. They are never shown again: keep them where you keep
        your passwords, not on the phone.
      </p>
      <ul ref={element} className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-base">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={copy}>Copy</Button>
        <ButtonAnchor
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
        >
          Download
        </ButtonAnchor>
        <Button variant="primary" onClick={onDone}>
          I have kept them
        </Button>
      </div>
      <p role="status" className="hint empty:hidden">
        {message}
      </p>
    </div>
  );
}
