import { useRef, useState } from "react";
import { codeCopied, codeSelected, copyCode, copyShort } from "../../texts/en.json";
import { around, fill } from "../../texts/fill";
import { Button } from "../../ui/button";

interface CopyCodeProps {
  code: string;
  /** The code stands beside it, and in the list of offers. */
  isShort?: boolean;
}

/** Copies a code, or selects it if the browser offers no clipboard. */
export default function CopyCode({ code, isShort = false }: CopyCodeProps) {
  const [message, setMessage] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const [before, after] = around(copyCode);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      setMessage(codeCopied);
    } catch {
      const text = (isShort ? document : button.current)?.querySelector(".offers code, .btn > code");
      if (text) {
        getSelection()?.selectAllChildren(text);
      }
      setMessage(codeSelected);
    }
  };
  return (
    <>
      <Button
        ref={button}
        aria-label={isShort ? fill(copyCode, { code }) : undefined}
        onClick={() => void copy()}
      >
        {message === codeCopied ? (
          message
        ) : isShort ? (
          copyShort
        ) : (
          <>
            {before}
            <code>{code}</code>
            {after}
          </>
        )}
      </Button>
      <span role="status" className={message === codeCopied ? "sr-only" : "hint"}>
        {message}
      </span>
    </>
  );
}
