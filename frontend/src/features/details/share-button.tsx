import share2 from "icon:share-2";
import { useEffect } from "react";
import { linkCopied, linkNotCopied, linkNotCopiedHint, shareButton, shared } from "../../texts/en.json";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { useToast } from "../../ui/toast/toast";

let share: typeof import("../../lib/share").share | undefined;

/** Loads the function before the press: WebKit shares only in the press itself. */
async function load() {
  ({ share } = await import("../../lib/share"));
  return share;
}

export function ShareButton({ title }: { title: string }) {
  const toast = useToast();
  useEffect(() => void load().catch(() => undefined), []);
  const shareThis = async () => {
    try {
      const press = share ?? (await load());
      const outcome = await press(title, window.location.href);
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
    <Button className="needs-script" onClick={() => void shareThis()}>
      <Icon of={share2} />
      <span>{shareButton}</span>
    </Button>
  );
}
