import type { Task } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { counted } from "../../lib/rupees";
import { DealButton, DealRow, type RowChanges } from "../../product/office/deal-row";
import { ButtonLink } from "../../ui/button";

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
  return (
    <DealButton
      kind={kind}
      product={product}
      changes={changes}
      onGone={() => document.querySelector<HTMLElement>("#to-do")?.focus({ preventScroll: true })}
    />
  );
}
