// Mirrored by src/http/pages/details/product_page.rs

import { useState } from "react";
import { failureText } from "../../api/failure";
import { reportOver } from "../../api/products/over";
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
      toast({ title: `${isNew ? "Thank you" : "Reported before"}. The shop will check this deal.` });
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
      {sent ? "Reported as over" : "Is this deal over?"}
    </Button>
  );
}
