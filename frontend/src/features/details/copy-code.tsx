import { useRef, useState } from "react";
import { Button } from "../../ui/button";

/** Copies a code; where the browser gives no clipboard, it chooses the code for the reader to copy. */
export default function CopyCode({ code }: { code: string }) {
  const [said, setSaid] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      setSaid("Copied");
    } catch {
      const text = button.current?.closest("li")?.querySelector("code");
      if (text) {
        getSelection()?.selectAllChildren(text);
      }
      setSaid("The code is chosen: copy it");
    }
  };
  return (
    <>
      <Button ref={button} onClick={() => void copy()}>
        {said === "Copied" ? said : `Copy ${code}`}
      </Button>
      <span role="status" className={said === "Copied" ? "sr-only" : "hint"}>
        {said}
      </span>
    </>
  );
}
