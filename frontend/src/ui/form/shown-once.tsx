import { type ReactNode, type RefObject, useRef, useState } from "react";
import { Button } from "../button";

/** Returns a function that copies a text, or selects the element with it, and what it did, in words. */
export function useCopy<E extends HTMLElement>(
  text: string,
  selected: string,
): { copy: () => Promise<void>; element: RefObject<E | null>; message: string } {
  const [message, setMessage] = useState("");
  const element = useRef<E>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage("Copied");
    } catch {
      if (element.current) {
        getSelection()?.selectAllChildren(element.current);
      }
      setMessage(selected);
    }
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
  const { copy, element, message } = useCopy<HTMLElement>(text, `The ${name} is chosen: copy it`);
  return (
    <div className="flex flex-wrap items-center gap-2 pb-4">
      <p>{children}</p>
      <code ref={element} className="break-all">
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
