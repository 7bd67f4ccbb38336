import share2 from "icon:share-2";
import { useState } from "react";
import { share } from "../../lib/share";
import {
  linkCopied,
  linkNotCopied,
  linkNotCopiedHint,
  shareButton,
  shared,
  telegramName,
  whatsAppName,
} from "../../texts/en.json";
import { Button, ButtonAnchor } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { useToast } from "../../ui/toast/toast";

/**
 * Shares the page; without the system's dialog it copies the link and offers messengers.
 * Its function is imported with it: WebKit shares and copies in the press itself only.
 */
export function ShareButton({ title }: { title: string }) {
  const toast = useToast();
  const [isCopied, setCopied] = useState(false);
  const shareThis = async () => {
    try {
      const outcome = await share(title, window.location.href);
      setCopied(outcome === "copied");
      if (outcome !== "cancelled") {
        toast({ title: outcome === "shared" ? shared : linkCopied });
      }
    } catch {
      toast({
        title: linkNotCopied,
        description: linkNotCopiedHint,
        failure: true,
      });
    }
  };
  return (
    <>
      <Button className="needs-script" onClick={() => void shareThis()}>
        <Icon of={share2} />
        <span>{shareButton}</span>
      </Button>
      {isCopied && (
        <div className="shares">
          {messengers(title).map(([name, address]) => (
            <ButtonAnchor key={name} href={address} target="_blank" rel="noopener noreferrer">
              {name}
            </ButtonAnchor>
          ))}
        </div>
      )}
    </>
  );
}

/** Returns the names of messengers, each with the address that offers the page to its contacts. */
function messengers(title: string): [string, string][] {
  const from = (channel: string) => {
    const address = new URL(window.location.href);
    address.searchParams.set("utm_source", channel);
    return address.href;
  };
  const text = new URLSearchParams({ text: `${title} ${from("whatsapp")}` });
  const url = new URLSearchParams({ url: from("telegram"), text: title });
  return [
    [whatsAppName, `https://wa.me/?${text}`],
    [telegramName, `https://t.me/share/url?${url}`],
  ];
}
