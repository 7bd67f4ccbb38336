import circle from "icon:circle";
import check from "icon:circle-check";
import type { Step } from "../../api/types";
import { office } from "../../lib/office-paths";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { Block } from "../../ui/office-screen";

export function Setup({ steps }: { steps: Step[] }) {
  const done = steps.filter((step) => step.done).length;
  return (
    <Block title="Open your shop" note={`${done} of ${steps.length} done`}>
      <ol className="todo">
        {steps.map((step) => (
          <li key={step.key}>
            <Icon of={step.done ? check : circle} className={step.done ? "text-saving" : undefined} />
            <div>
              {step.title}
              <span className="sr-only">{step.done ? " (done)" : " (to do)"}</span>
              {!step.done && <small>{step.hint}</small>}
            </div>
            {!step.done && (
              <Link to={`${office.setup}?step=${step.key}`} className="link" aria-label={`Go: ${step.title}`}>
                Go
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Block>
  );
}
