import { useState } from "react";
import { failureText } from "../../api/failure";
import { sendTestMail, useOverview } from "../../api/office/overview";
import { Button } from "../../ui/button";

/** Sends a test mail to the administrator, and says what the mail server did. */
export function TestMail() {
  const { mutate } = useOverview();
  const [message, setMessage] = useState<{ text: string; failed: boolean }>();
  const [pending, setPending] = useState(false);
  const test = async () => {
    setPending(true);
    setMessage(undefined);
    try {
      setMessage({ text: `A mail to ${await sendTestMail()} is on its way.`, failed: false });
      await mutate();
    } catch (error) {
      setMessage({ text: failureText(error), failed: true });
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Button disabled={pending} onClick={() => void test()} className="self-start">
        Send a test mail to me
      </Button>
      <p role="status" className={message?.failed ? "text-sm text-danger" : "text-sm"}>
        {pending ? "Sending..." : message?.text}
      </p>
    </>
  );
}
