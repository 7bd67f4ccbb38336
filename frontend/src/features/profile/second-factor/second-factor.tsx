import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { disableFactor, renewRecoveryCodes, useFactor } from "../../../api/factor";
import { failureText } from "../../../api/failure";
import type { Factor } from "../../../api/types";
import { day } from "../../../lib/day";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/dialog";
import { useToast } from "../../../ui/toast/toast";
import { ProfileSection } from "../profile-section";
import { Enrol } from "./enrol";
import { RecoveryCodes } from "./recovery-codes";

/** The second factor of one's own account; administrators are led to `#second-factor`. */
export function SecondFactor() {
  const { data, error, mutate } = useFactor();
  const [codes, setCodes] = useState<string[]>();
  const section = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  const wanted = hash === "#second-factor" && data !== undefined;
  useEffect(() => {
    if (wanted) {
      section.current?.scrollIntoView();
    }
  }, [wanted]);
  return (
    <div ref={section} id="second-factor" className="scroll-mt-28">
      <ProfileSection title="Second factor">
        {error && !data && (
          <div className="flex flex-col items-start gap-2">
            <p className="hint">{failureText(error)}</p>
            <Button onClick={() => void mutate()}>Retry</Button>
          </div>
        )}
        {codes ? (
          <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
        ) : (
          data && <State of={data} onCodes={setCodes} onChange={() => void mutate()} />
        )}
      </ProfileSection>
    </div>
  );
}

interface StateProps {
  of: Factor;
  onCodes: (codes: string[]) => void;
  onChange: () => void;
}

function State({ of: factor, onCodes, onChange }: StateProps) {
  if (factor.enabled) {
    return <Enabled of={factor} onCodes={onCodes} onChange={onChange} />;
  }
  return (
    <>
      {factor.required && (
        <p role="status" className="max-w-[44rem] text-sm font-semibold">
          This shop requires a second factor of its administrators: set one up to use the office.
        </p>
      )}
      <p className="hint max-w-[44rem]">
        Signing in then also needs a code from an app on your phone. This stops anyone who has only your
        password.
      </p>
      <Enrol
        onCodes={(codes) => {
          onCodes(codes);
          onChange();
        }}
      />
    </>
  );
}

function Enabled({ of: factor, onCodes, onChange }: StateProps) {
  const [question, setQuestion] = useState<"renew" | "disable">();
  const toast = useToast();
  const does = async (action: () => Promise<void>) => {
    setQuestion(undefined);
    try {
      await action();
      onChange();
    } catch (failure) {
      toast({ title: failureText(failure), failure: true });
    }
  };
  const renew = () => does(async () => onCodes((await renewRecoveryCodes()).recoveryCodes));
  const disable = () => does(async () => toast({ title: (await disableFactor()).message }));
  return (
    <>
      <p className="text-base">
        On{factor.since === null ? "" : ` since ${day(factor.since)}`}. {left(factor.recoveryCodes)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setQuestion("renew")}>New recovery codes</Button>
        <Button variant="danger" onClick={() => setQuestion("disable")}>
          Switch off
        </Button>
      </div>
      {question === "renew" && (
        <Question
          title="Make new recovery codes?"
          confirm="Make new codes"
          onConfirm={renew}
          onCancel={() => setQuestion(undefined)}
        >
          The present ones are of no more use then.
        </Question>
      )}
      {question === "disable" && (
        <Question
          title="Switch the second factor off?"
          confirm="Switch off"
          onConfirm={disable}
          onCancel={() => setQuestion(undefined)}
        >
          Your password alone signs in then. Recovery codes and remembered devices end.
        </Question>
      )}
    </>
  );
}

interface QuestionProps {
  title: string;
  confirm: string;
  onConfirm: () => Promise<void>;
  onCancel: () => void;
  children: ReactNode;
}

function Question({ title, confirm, onConfirm, onCancel, children }: QuestionProps) {
  return (
    <Confirm title={title} confirm={confirm} onConfirm={() => void onConfirm()} onCancel={onCancel}>
      <p>{children}</p>
    </Confirm>
  );
}

function left(codes: number): string {
  if (codes === 0) {
    return "No recovery code is left: make new ones.";
  }
  return codes === 1 ? "1 recovery code is left." : `${codes} recovery codes are left.`;
}
