import { useState } from "react";
import { failureText } from "../../api/failure";
import { sendTestMail, useOverview } from "../../api/office/overview";
import { Button } from "../../ui/button";

export function Running() {
  const { data } = useOverview();
  const steps = data?.setup.filter(({ key }) => ["mail", "address", "backup"].includes(key)) ?? [];
  const [message, setMessage] = useState<{ text: string; failed: boolean }>();
  const [pending, setPending] = useState(false);
  const test = async () => {
    setPending(true);
    setMessage(undefined);
    try {
      setMessage({ text: `A mail to ${await sendTestMail()} is on its way.`, failed: false });
    } catch (error) {
      setMessage({ text: failureText(error), failed: true });
    } finally {
      setPending(false);
    }
  };
  return (
    <section className="panel" id="running" aria-labelledby="running-title">
      <h2 id="running-title">Running</h2>
      <p className="hint">These are set when the server starts. `deals check` tests all of them.</p>
      <ul className="todo">
        {steps.map(({ key, title, hint, done }) => (
          <li key={key}>
            <div>
              {title}: {done ? "done" : "to do"}
              {!done && <small>{hint}</small>}
            </div>
          </li>
        ))}
      </ul>
      <Button disabled={pending} onClick={() => void test()} className="self-start">
        Send a test mail to me
      </Button>
      <p role="status" className={message?.failed ? "text-sm text-danger" : "text-sm"}>
        {pending ? "Sending..." : message?.text}
      </p>
    </section>
  );
}
