import { type ClipboardEvent, type FormEvent, useId, useState } from "react";
import { useNavigate } from "react-router-dom";
import { FROM_OFFICE } from "../../lib/paths";
import { Button } from "../../ui/button";
import { captureAddress } from "../form/capture/arrival";

interface PasteLinkProps {
  /** A screen's first action. */
  main?: boolean;
  action?: string;
  /** Takes the text in place of the form that it opens. */
  onText?: ((text: string) => void) | undefined;
}

/** A field for a product's link or a shared text, which opens the form with it. */
export function PasteLink({ main = false, action = "Add product", onText }: PasteLinkProps) {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const id = useId();
  const open = (pasted: string) => {
    const given = pasted.trim();
    if (given === "") {
      return;
    }
    if (onText) {
      setText("");
      onText(given);
    } else {
      void navigate(captureAddress(new URLSearchParams({ text: given }).toString()), { state: FROM_OFFICE });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open(text);
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text");
    if (/https?:\/\//i.test(pasted)) {
      event.preventDefault();
      open(pasted);
    }
  };
  return (
    <form className="paste" onSubmit={submit}>
      <label htmlFor={id} className="sr-only">
        Paste a link or message
      </label>
      <input
        id={id}
        type="text"
        inputMode="url"
        autoComplete="off"
        placeholder="Paste a link or message"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPaste={paste}
      />
      <Button type="submit" variant={main ? "primary" : "quiet"}>
        {action}
      </Button>
    </form>
  );
}
