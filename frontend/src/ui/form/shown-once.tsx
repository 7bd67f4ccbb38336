import { type ReactNode, type RefObject, useRef, useState } from "react";
import { copyText } from "../../lib/share";
import { Button } from "../button";

/**
 * Returns a function that copies a text, and what it did, in words: if the browser refuses, the element with
 * the text is selected.
 */
export function useCopy<E extends HTMLElement>(
  text: string,
  name: string,
): { copy: () => void; element: RefObject<E | null>; message: string } {
  const [message, setMessage] = useState("");
  const element = useRef<E>(null);
  const select = () => {
    const shown = element.current;
    if (shown instanceof HTMLInputElement || shown instanceof HTMLTextAreaElement) {
      shown.select();
    } else if (shown) {
      getSelection()?.selectAllChildren(shown);
    }
    setMessage(`The ${name} is selected: copy it`);
  };
  const copy = () => {
    copyText(text).then(() => setMessage("Copied"), select);
  };
  return { copy, element, message };
}

interface ShownOnceProps {
  text: string;
  /** Name of the text: “key”. */
  name: string;
  children: ReactNode;
  onDone: () => void;
}

/** A secret, or a link with one, to copy: no other answer of the server has it. */
export function ShownOnce({ text, name, children, onDone }: ShownOnceProps) {
  const { copy, element, message } = useCopy<HTMLElement>(text, name);
  return (
    <div className="flex flex-wrap items-center gap-2 pb-4">
      <p>{children}</p>
      <code ref={element} className="break-all">
        {text}
      </code>
      <Button variant="primary" onClick={copy}>
        Copy
      </Button>
      <Button onClick={onDone}>Done</Button>
      <span role="status" className="hint">
        {message}
      </span>
    </div>
  );
}
