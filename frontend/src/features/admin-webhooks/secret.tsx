import { useRef, useState } from "react";
import { Button } from "../../ui/button";

/** A secret that is shown once. */
export function Secret({ text, about, onDone }: { text: string; about: string; onDone: () => void }) {
  const [message, setMessage] = useState("");
  const code = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage("Copied");
    } catch {
      if (code.current) {
        getSelection()?.selectAllChildren(code.current);
      }
      setMessage("The secret is chosen: copy it");
    }
  };
  return (
    <div className="advice">
      <p>{about} Copy it now: it is never shown again.</p>
      <code ref={code} className="break-all">
        {text}
      </code>
      <Button variant="primary" onClick={() => void copy()}>
        Copy
      </Button>
      <Button onClick={onDone}>Done</Button>
      <span role="status" className="hint">
        {message}
      </span>
    </div>
  );
}
