import { useEffect, useState } from "react";
import { resendCode } from "../api/accounts";
import { failureText } from "../api/failure";
import { stored } from "../lib/device/storage";
import { Button } from "../ui/button";
import { useToast } from "../ui/toast/toast";
import { registrationOf } from "./handles";

/** Seconds between two codes: a mail takes a while, and their number in an hour is limited. */
const PAUSE = 60;

export function ResendButton({ email }: { email: string }) {
  const toast = useToast();
  const [left, setLeft] = useState(PAUSE);
  const waiting = left > 0;

  useEffect(() => {
    if (!waiting) {
      return;
    }
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), 1_000);
    return () => clearInterval(timer);
  }, [waiting]);

  const resend = async () => {
    setLeft(PAUSE);
    try {
      const { message } = await resendCode(email, stored(registrationOf(email)));
      toast({ title: message });
    } catch (error) {
      setLeft(0);
      toast({ title: failureText(error), failure: true });
    }
  };

  return (
    <Button variant="plain" disabled={waiting} onClick={() => void resend()} className="self-start">
      {waiting ? `Resend code in ${left} s` : "Resend code"}
    </Button>
  );
}
