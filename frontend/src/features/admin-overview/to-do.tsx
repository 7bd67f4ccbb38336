import { useNeeds, useTasks, useToCheck } from "../../api/office/overview";
import { office } from "../../lib/office-paths";
import { count } from "../../lib/rupees";
import type { RowChanges } from "../../product/office/deal-row";
import { KINDS } from "../../product/office/kinds";
import { Button, ButtonLink } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { Block } from "../../ui/office-screen";
import { Tasks } from "./tasks";

/** The deals that most need a look, and the way to all of them. */
export function ToDo({ changes }: { changes: RowChanges }) {
  const { data: needs, error: needsError, mutate: mutateNeeds } = useNeeds();
  const { data: tasks, error, mutate } = useTasks();
  const { kinds, total } = useToCheck();
  const first = KINDS.find(({ need }) => (kinds[need] ?? 0) > 0);
  const shown = tasks?.data.length ?? 0;
  const rules = needs?.data.find(({ key }) => key === "source");
  const failed = (needsError && !needs) || (error && !tasks);
  const retry = () => {
    void mutateNeeds();
    void mutate();
  };
  return (
    <Block title="To do" note={first ? `${count(total)} to check` : undefined} className="flex flex-col">
      {failed && (
        <Notice title="Failed to load what is to do">
          <Button onClick={retry}>Retry</Button>
        </Notice>
      )}
      {tasks && needs && shown === 0 && !first && !rules && <p className="hint">Nothing. All is well.</p>}
      {shown > 0 && <Tasks tasks={tasks?.data ?? []} changes={changes} />}
      {rules && (
        <p className="flex items-center justify-between gap-3 mt-2.5 border-line border-t pt-2.5">
          <span className="min-w-0">
            {rules.text}
            <small className="block">{rules.details}</small>
          </span>
          <ButtonLink to={office.sources} className="btn-tonal" aria-label={`Choose: ${rules.text}`}>
            Choose
          </ButtonLink>
        </p>
      )}
      {first && (
        <ButtonLink to={first.to} className="mt-3 w-full">
          All {count(total)} to check
        </ButtonLink>
      )}
    </Block>
  );
}
