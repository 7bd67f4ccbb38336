import { useState } from "react";
import { failureText } from "../../api/failure";
import { reportOver } from "../../api/products/over";
import { askIfOver, reportedAsOver, reportedBefore, reportedNow } from "../../texts/en.json";
import { Button } from "../../ui/button";
import { useToast } from "../../ui/toast/toast";

/** Lets a visitor tell the owner that the deal is over. */
export function ReportOver({ id }: { id: string }) {
  const [sent, setSent] = useState(false);
  const toast = useToast();
  const report = async () => {
    if (sent) {
      return;
    }
    try {
      const isNew = await reportOver(id);
      setSent(true);
      toast({ title: isNew ? reportedNow : reportedBefore });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };
  return (
    <Button
      variant="plain"
      className="over needs-script"
      aria-disabled={sent || undefined}
      onClick={() => void report()}
    >
      {sent ? reportedAsOver : askIfOver}
    </Button>
  );
}
