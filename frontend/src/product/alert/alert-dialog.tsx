import { type FormEvent, useEffect, useId, useState } from "react";
import { failureText } from "../../api/failure";
import { endPush, hasPush, setAlerts, subscribeToPush } from "../../api/products/alerts";
import { useSession } from "../../session/session";
import { useShop } from "../../shop/shop";
import {
  alertEmail,
  alertMailButton,
  alertPercent,
  alertPrice,
  alertPushButton,
  alertPushEnd,
  alertTitle,
  alertTitleSaved,
  closeLabel,
} from "../../texts/en.json";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";

interface AlertDialogProps {
  ids: readonly string[];
  /** Rupees; without it the alerts are for so many percent less. */
  target?: number;
  onClose: () => void;
}

const PERCENT = 10;

/** Sets alerts by mail, or by push messages where the browser takes them. */
export default function AlertDialog({ ids, target, onClose }: AlertDialogProps) {
  const id = useId();
  const { user } = useSession();
  const canMail = useShop().noMail === undefined;
  const [state, setState] = useState<"open" | "sending" | "set">("open");
  const [words, setWords] = useState("");
  const [pushed, setPushed] = useState(false);
  useEffect(() => void hasPush().then(setPushed), []);

  const send = async (form: HTMLFormElement, byPush: boolean) => {
    setState("sending");
    setWords("");
    try {
      const values = new FormData(form);
      const wished = Number(values.get("wished"));
      const { message } = await setAlerts({
        ids: [...ids],
        ...(target === undefined ? { percent: wished } : { target: wished }),
        ...(byPush ? { push: await subscribeToPush() } : { email: String(values.get("email")) }),
      });
      setWords(message);
      setState("set");
    } catch (error) {
      setWords(failureText(error));
      setState("open");
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    void send(event.currentTarget, submitter?.getAttribute("value") === "push");
  };
  const end = async () => {
    try {
      setWords(await endPush());
      setPushed(false);
    } catch (error) {
      setWords(failureText(error));
    }
  };

  return (
    <Dialog labelledBy={id} className="confirm" onClose={onClose}>
      <form className="alert-form" onSubmit={submit}>
        <h2 id={id}>{target === undefined ? alertTitleSaved : alertTitle}</h2>
        {state !== "set" && (
          <>
            <label>
              {target === undefined ? alertPercent : alertPrice}
              <input
                name="wished"
                type="number"
                inputMode="decimal"
                min="1"
                max={target === undefined ? "99" : undefined}
                step={target === undefined ? "1" : "0.01"}
                defaultValue={target ?? PERCENT}
                required
              />
            </label>
            {canMail && (
              <label>
                {alertEmail}
                <input name="email" type="email" autoComplete="email" defaultValue={user?.email} />
              </label>
            )}
          </>
        )}
        <p role="status">{words}</p>
        <div className="alert-buttons">
          {state !== "set" && canMail && (
            <Button type="submit" variant="primary" disabled={state === "sending"}>
              {alertMailButton}
            </Button>
          )}
          {state !== "set" && "PushManager" in window && (
            <Button
              type="submit"
              value="push"
              variant={canMail ? "quiet" : "primary"}
              disabled={state === "sending"}
            >
              {alertPushButton}
            </Button>
          )}
          {pushed && state !== "set" && (
            <Button variant="plain" onClick={() => void end()}>
              {alertPushEnd}
            </Button>
          )}
          <Button variant={state === "set" ? "primary" : "plain"} onClick={onClose}>
            {closeLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
