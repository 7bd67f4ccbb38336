import { useRef, useState } from "react";
import { Button } from "../../ui/button";

/** Copies a code, or selects it if the browser offers no clipboard. */
export default function CopyCode({ code }: { code: string }) {
  const [message, setMessage] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      setMessage("Copied");
    } catch {
      const text = button.current?.querySelector("code");
      if (text) {
        getSelection()?.selectAllChildren(text);
      }
      setMessage("The code is selected: copy it.");
    }
  };
  return (
    <>
      <Button ref={button} onClick={() => void copy()}>
        {message === "Copied" ? (
          message
        ) : (
          <>
            {"Copy "}
            <code>{code}</code>
          </>
        )}
      </Button>
      <span role="status" className={message === "Copied" ? "sr-only" : "hint"}>
        {message}
      </span>
    </>
  );
}
