import { type ComponentType, useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { useOverview } from "../../../api/office/overview";
import type { Overview, Step } from "../../../api/types";
import { paths } from "../../../lib/paths";
import { ButtonLink } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { Loaded } from "../../../ui/loaded";
import { OfficeScreen } from "../../../ui/office-screen";
import { ACTIONS, Finish } from "./finish";
import { AddressStep, BackupStep, MailStep } from "./instructions";
import { NameStep } from "./name-step";
import { PagesStep } from "./pages-step";
import { ProductsStep } from "./products-step";
import { stepPath } from "./step-path";
import { TagsStep } from "./tags-step";

/** Content of the steps that have more than their hint. */
const CONTENTS: Record<string, ComponentType<{ step: Step; next: string }>> = {
  name: NameStep,
  mail: MailStep,
  address: AddressStep,
  products: ProductsStep,
  tags: TagsStep,
  pages: PagesStep,
  backup: BackupStep,
};

/** The overview's steps, one at a time. */
export function SetupPage() {
  const call = useOverview();
  const [parameters] = useSearchParams();
  return (
    <OfficeScreen title="Open your shop" actions={<ButtonLink to={paths.admin}>Do this later</ButtonLink>}>
      <Loaded call={call} failure="Failed to load the steps">
        {(overview) => <Current overview={overview} wanted={parameters.get("step")} />}
      </Loaded>
    </OfficeScreen>
  );
}

function Current({ overview, wanted }: { overview: Overview; wanted: string | null }) {
  // Only administrators see the steps.
  const setup = overview.setup.filter(({ key }) => key !== "administrator");
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
  return (
    <>
      <Steps of={setup} at={at} />
      {step ? (
        <Card
          key={step.key}
          step={step}
          place={`Step ${at + 1} of ${setup.length}`}
          next={nextOf(setup, at)}
        />
      ) : (
        <Finish overview={overview} />
      )}
    </>
  );
}

/** Short names of the steps. */
const NAMES: Record<string, string> = {
  name: "Name",
  products: "Deals",
  tags: "Earning",
  pages: "Pages",
  mail: "Mail",
  address: "Address",
  backup: "Backups",
};

/** All steps, each with whether it is done. */
function Steps({ of: steps, at }: { of: Step[]; at: number }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = nav.current?.children[at];
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [at]);
  return (
    <nav ref={nav} aria-label="Steps" className="views">
      {steps.map(({ key, done }, index) => (
        <Link key={key} to={stepPath(key)} aria-current={index === at ? "step" : undefined}>
          <span aria-hidden className={done ? "text-saving" : undefined}>
            {done ? "✓" : index + 1}
          </span>
          {NAMES[key] ?? key}
          {done && <span className="sr-only"> (done)</span>}
        </Link>
      ))}
    </nav>
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
    <section
      aria-labelledby="step"
      className="pane stack gap-4 [&_.panel]:border-0 [&_.panel]:p-0 [&_h3]:font-semibold"
    >
      <p className="quiet -mb-3">{place}</p>
      <h2 id="step" tabIndex={-1} className="display text-lg">
        {step.title}
        <span className="sr-only">{step.done ? " (done)" : " (to do)"}</span>
      </h2>
      {step.state !== "" && (
        <p role="status" className={step.done ? "font-semibold text-saving" : "font-semibold"}>
          {step.state}
        </p>
      )}
      {Contents ? <Contents step={step} next={next} /> : <p className="hint">{step.hint}</p>}
      <div className={ACTIONS}>
        {step.done ? (
          <ButtonLink to={next} variant={step.key === "name" ? "quiet" : "primary"}>
            Continue
          </ButtonLink>
        ) : (
          <ButtonLink to={next}>Skip for now</ButtonLink>
        )}
      </div>
    </section>
  );
}
