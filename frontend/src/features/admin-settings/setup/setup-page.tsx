import { type ComponentType, useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { useOverview } from "../../../api/office/overview";
import type { Overview, Step } from "../../../api/types";
import { Button, ButtonLink } from "../../../ui/button";
import { Notice } from "../../../ui/notice";
import { OfficeScreen } from "../../../ui/office-screen";
import { Finish } from "./finish";
import { AddressStep, BackupStep, MailStep } from "./instructions";
import { NameStep } from "./name-step";
import { ProductsStep } from "./products-step";
import { stepPath } from "./step-path";

/** Content of the steps that have more than their hint. */
const CONTENTS: Record<string, ComponentType<{ step: Step; next: string }>> = {
  name: NameStep,
  mail: MailStep,
  address: AddressStep,
  products: ProductsStep,
  backup: BackupStep,
};

/** The overview's steps, one at a time. */
export function SetupPage() {
  const { data, error, mutate } = useOverview();
  const [parameters] = useSearchParams();
  const done = data?.setup.filter((step) => step.done).length;
  return (
    <OfficeScreen
      title="Open your shop"
      actions={data && <progress aria-label="Steps done" value={done} max={data.setup.length} />}
    >
      {error && !data && (
        <Notice title="Failed to load the steps">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      )}
      {!data && !error && (
        <p role="status" className="quiet">
          Loading...
        </p>
      )}
      {data && <Current overview={data} wanted={parameters.get("step")} />}
    </OfficeScreen>
  );
}

function Current({ overview, wanted }: { overview: Overview; wanted: string | null }) {
  const { setup } = overview;
  // Stays while it becomes done.
  const first = useRef(setup.find((step) => !step.done)?.key);
  const key = wanted ?? first.current;
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current !== key) {
      shown.current = key;
      document.getElementById("step")?.focus();
    }
  }, [key]);
  const at = setup.findIndex((step) => step.key === key);
  const step = setup[at];
  return step ? (
    <Card key={step.key} step={step} place={`Step ${at + 1} of ${setup.length}`} next={nextOf(setup, at)} />
  ) : (
    <Finish overview={overview} />
  );
}

/** Returns the path of the next step that is to do, or of the end. */
function nextOf(setup: Step[], at: number): string {
  const next = setup.slice(at + 1).find((step) => !step.done);
  return stepPath(next?.key);
}

function Card({ step, place, next }: { step: Step; place: string; next: string }) {
  const Contents = CONTENTS[step.key];
  return (
    <section aria-labelledby="step" className="pane setup-step">
      <p className="quiet">{place}</p>
      <h2 id="step" tabIndex={-1}>
        {step.title}
        <span className="sr-only">{step.done ? " (done)" : " (to do)"}</span>
      </h2>
      {step.state !== "" && (
        <p role="status" className={step.done ? "setup-state text-saving" : "setup-state"}>
          {step.state}
        </p>
      )}
      {Contents ? <Contents step={step} next={next} /> : <p className="hint">{step.hint}</p>}
      <div className="setup-actions">
        {step.done ? (
          <ButtonLink to={next} variant={step.key === "name" ? "quiet" : "primary"}>
            Next
          </ButtonLink>
        ) : (
          <ButtonLink to={next}>Skip for now</ButtonLink>
        )}
      </div>
    </section>
  );
}
