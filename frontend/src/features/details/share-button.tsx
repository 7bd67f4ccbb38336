// Mirrored by src/http/pages/details/product_page.rs

import share2 from "icon:share-2";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { useToast } from "../../ui/toast/toast";

export function ShareButton({ title }: { title: string }) {
  const toast = useToast();
  const shareThis = async () => {
    try {
      // Loaded when it is pressed.
      const { share } = await import("../../lib/share");
      const outcome = await share(title, window.location.href);
      if (outcome !== "cancelled") {
        toast({ title: outcome === "shared" ? "Shared successfully" : "Link copied" });
      }
    } catch {
      toast({
        title: "The link could not be copied",
        description: "Copy it from the address bar.",
        failure: true,
      });
    }
  };
  return (
    <Button className="needs-script" onClick={() => void shareThis()}>
      <Icon of={share2} />
      <span>Share</span>
    </Button>
  );
}
