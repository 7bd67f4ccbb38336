import { useEffect, useId, useState } from "react";
import { failureText } from "../../api/failure";
import { type Messenger, useDealMessage } from "../../api/office/catalogue";
import { Button, ButtonAnchor } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { INPUT } from "../../ui/form/field";
import { useCopy } from "../../ui/form/shown-once";

/** Maximum number of deals in a message. */
export const MOST_IN_MESSAGE = 20;

/** Longest address that browsers and WhatsApp pass on. */
const LONGEST_LINK = 7_000;

const MESSENGERS: [Messenger, string][] = [
  ["whatsapp", "WhatsApp"],
  ["plain", "Plain text"],
];

interface MessageDialogProps {
  /** Products, at most {@link MOST_IN_MESSAGE}. */
  ids: readonly string[];
  onClose: () => void;
}

/** A message about deals, to change, copy and send. */
export function MessageDialog({ ids, onClose }: MessageDialogProps) {
  const name = useId();
  const [messenger, setMessenger] = useState<Messenger>("whatsapp");
  const { data, error } = useDealMessage(ids, messenger);
  return (
    <Dialog labelledBy={name} className="confirm" onClose={onClose}>
      <h2 id={name}>{ids.length === 1 ? "Send this deal" : `Send ${ids.length} deals`}</h2>
      <div className="flex gap-2 py-3">
        {MESSENGERS.map(([value, label]) => (
          <Button
            key={value}
            aria-pressed={messenger === value}
            className="aria-pressed:border-accent aria-pressed:bg-accent-bg"
            onClick={() => setMessenger(value)}
          >
            {label}
          </Button>
        ))}
      </div>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {failureText(error)}
        </p>
      )}
      {data && data.leftOut.length > 0 && (
        <p className="hint pb-2">
          {`Left out, because visitors can't buy ${data.leftOut.length === 1 ? "it" : "them"} now: ${data.leftOut.join(", ")}.`}
        </p>
      )}
      {data?.text && <Message key={data.text} text={data.text} of={ids.length === 1 ? ids[0] : undefined} />}
      <div className="flex justify-end pt-3">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

interface MessageProps {
  text: string;
  /** The only product, whose picture goes along where the device shares files. */
  of: string | undefined;
}

function Message({ text, of }: MessageProps) {
  const [written, setWritten] = useState(text);
  const [refused, setRefused] = useState("");
  const picture = usePicture(of);
  const { copy, element, message } = useCopy<HTMLTextAreaElement>(written, "text");
  const share = async () => {
    setRefused("");
    try {
      await navigator.share({ text: written, ...(picture ? { files: [picture] } : {}) });
    } catch (failure) {
      if (!(failure instanceof DOMException && failure.name === "AbortError")) {
        setRefused("This device refused to share it: copy it");
      }
    }
  };
  const link = `https://wa.me/?text=${encodeURIComponent(written)}`;
  return (
    <>
      <textarea
        ref={element}
        aria-label="Message"
        rows={10}
        className={`${INPUT} h-auto py-2 text-sm`}
        value={written}
        onChange={(event) => setWritten(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-2 pt-2">
        <Button
          variant="primary"
          onClick={() => {
            setRefused("");
            copy();
          }}
        >
          Copy
        </Button>
        {link.length > LONGEST_LINK ? (
          <span className="hint">Too long for a link to WhatsApp: copy it, or share it.</span>
        ) : (
          <ButtonAnchor href={link} target="_blank" rel="noopener">
            Open WhatsApp
          </ButtonAnchor>
        )}
        {typeof navigator.share === "function" && (
          <Button onClick={() => void share()}>{picture ? "Share with its picture" : "Share"}</Button>
        )}
        <span role="status" className="hint">
          {refused || message}
        </span>
      </div>
    </>
  );
}

/** Returns the preview picture of a product, where the device can share files. */
function usePicture(id: string | undefined): File | undefined {
  const [picture, setPicture] = useState<File>();
  useEffect(() => {
    if (id === undefined || typeof navigator.canShare !== "function") {
      return;
    }
    let isWanted = true;
    const load = async () => {
      const answer = await fetch(`/share/${encodeURIComponent(id)}.png`);
      const file = new File([await answer.blob()], "deal.png", { type: "image/png" });
      if (isWanted && answer.ok && navigator.canShare({ files: [file] })) {
        setPicture(file);
      }
    };
    // Without it, the text is shared alone.
    void load().catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [id]);
  return picture;
}
