import { type ClipboardEvent, type FormEvent, useId, useState } from "react";
import { useNavigate } from "react-router-dom";
import { Button } from "../../ui/button";
import { captureAddress } from "../form/capture/arrival";

/** A field for a product's link or a shared text, which opens the form with it; `main`: a screen's first action. */
export function PasteLink({ main = false }: { main?: boolean }) {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const id = useId();
  const open = (pasted: string) => {
    if (pasted.trim() !== "") {
      void navigate(captureAddress(new URLSearchParams({ text: pasted.trim() }).toString()));
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
        Paste a product link
      </label>
      <input
        id={id}
        type="text"
        inputMode="url"
        autoComplete="off"
        placeholder="Paste a product link"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPaste={paste}
      />
      <Button type="submit" variant={main ? "primary" : "quiet"}>
        Add deal
      </Button>
    </form>
  );
}
