import { useEffect, useRef, useState } from "react";
import { failureText } from "../../api/failure";
import { reportOver } from "../../api/products/over";
import {
  askIfOver,
  isNotOver,
  isOver,
  reportedAsOver,
  reportedBefore,
  reportedNow,
} from "../../texts/en.json";
import { Button } from "../../ui/button";
import { useToast } from "../../ui/toast/toast";

/** Lets a visitor report that the deal is over, after a second press: nobody can take a report back. */
export function ReportOver({ id }: { id: string }) {
  const [step, setStep] = useState<"closed" | "asked" | "declined" | "sent">("closed");
  const first = useRef<HTMLButtonElement>(null);
  const toast = useToast();
  useEffect(() => {
    if (step !== "closed") {
      first.current?.focus();
    }
  }, [step]);
  const report = async () => {
    try {
      const isNew = await reportOver(id);
      setStep("sent");
      toast({ title: isNew ? reportedNow : reportedBefore });
    } catch (error) {
      toast({ title: failureText(error), failure: true });
    }
  };
  if (step === "asked") {
    return (
      <fieldset className="over-question" aria-label={askIfOver}>
        {askIfOver}
        <Button ref={first} onClick={() => void report()}>
          {isOver}
        </Button>
        <Button variant="plain" onClick={() => setStep("declined")}>
          {isNotOver}
        </Button>
      </fieldset>
    );
  }
  return (
    <Button
      ref={first}
      variant="plain"
      className="over needs-script"
      aria-disabled={step === "sent" || undefined}
      onClick={() => step !== "sent" && setStep("asked")}
    >
      {step === "sent" ? reportedAsOver : askIfOver}
    </Button>
  );
}
