import { Share2 } from "lucide-react";
import { share } from "../../lib/share";
import { Button } from "../../ui/button";
import { useToast } from "../../ui/toast/toast";

/** Shares the address of this screen. */
export function ShareButton({ title }: { title: string }) {
  const toast = useToast();
  const shareThis = async () => {
    try {
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
    <Button className="justify-start noscript:hidden" onClick={() => void shareThis()}>
      <Share2 aria-hidden size={16} />
      Share
    </Button>
  );
}
