import { useRef, useState } from "react";
import { copyText } from "../../lib/share";
import { codeCopied, codeSelected, copyCode } from "../../texts/en.json";
import { around } from "../../texts/fill";
import { Button } from "../../ui/button";

/** Copies a code, or selects it if the browser refuses. */
export default function CopyCode({ code }: { code: string }) {
  const [message, setMessage] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const [before, after] = around(copyCode);
  const select = () => {
    const text = button.current?.querySelector("code");
    if (text) {
      getSelection()?.selectAllChildren(text);
    }
    setMessage(codeSelected);
  };
  const copy = () => {
    copyText(code).then(() => setMessage(codeCopied), select);
  };
  return (
    <>
      <Button ref={button} onClick={copy}>
        {message === codeCopied ? (
          message
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
