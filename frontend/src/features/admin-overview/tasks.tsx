import { useState } from "react";
import type { Task } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { counted, rupees } from "../../lib/rupees";
import { endOfDay, shortDay } from "../../lib/time";
import { DealRow, type RowChanges } from "../../product/office/deal-row";
import { Button, ButtonLink } from "../../ui/button";

/** Days by which a deal is extended. */
const EXTENSION = 7;

/** The deals that most need a look, each with the button that does what it needs. */
export function Tasks({ tasks, changes }: { tasks: Task[]; changes: RowChanges }) {
  return (
    <ul className="deal-rows">
      {tasks.map((task) => (
        <DealRow key={task.product._id} product={task.product} changes={changes} note={<Reason of={task} />}>
          <TaskButton of={task} changes={changes} />
        </DealRow>
      ))}
    </ul>
  );
}

function Reason({ of: { text, clicks } }: { of: Task }) {
  return (
    <>
      {text}
      {clicks > 0 && ` · ${counted(clicks, "click", "clicks")}`}
    </>
  );
}

function TaskButton({ of: task, changes }: { of: Task; changes: RowChanges }) {
  const { kind, product } = task;
  const [pending, setPending] = useState(false);
  if (kind === "picture") {
    return (
      <ButtonLink
        to={paths.updateProduct(product._id)}
        state={{ product }}
        aria-label={`Replace the picture of ${product.title}`}
      >
        Replace
      </ButtonLink>
    );
  }
  // The owner sees the deals before one is deleted: the same title may be that of another size.
  if (kind === "duplicate") {
    return (
      <ButtonLink to={`${office.products}?view=duplicates`} aria-label={`Compare: ${product.title}`}>
        Compare
      </ButtonLink>
    );
  }
  const end = endOfDay(EXTENSION);
  const day = shortDay(end.slice(0, 10));
  const [label, change] = {
    price: [`Still ${rupees(product.finalPrice)}`, () => changes.confirmPrices([product])] as const,
    ending: [`Extend to ${day}`, () => changes.setEnd(product, end, day)] as const,
  }[kind];
  const press = async () => {
    setPending(true);
    await change();
    setPending(false);
    // The row with the focused button may be gone.
    if (document.activeElement === document.body) {
      document.querySelector<HTMLElement>("#to-do")?.focus({ preventScroll: true });
    }
  };
  return (
    <Button
      className="btn-tonal"
      aria-disabled={pending}
      aria-label={`${label}: ${product.title}`}
      onClick={() => (pending ? undefined : void press())}
    >
      {label}
    </Button>
  );
}
