import { useNeeds, useTasks, useToCheck } from "../../api/office/overview";
import type { Needs } from "../../api/types";
import { office } from "../../lib/office-paths";
import { count } from "../../lib/rupees";
import type { RowChanges } from "../../product/office/deal-row";
import { KINDS } from "../../product/office/kinds";
import { ButtonLink } from "../../ui/button";
import { Link } from "../../ui/link";
import { NotLoaded } from "../../ui/loaded";
import { Block } from "../../ui/office-screen";
import { Tasks } from "./tasks";

/** Words of the link to the sellers, by the need that is met there. Tags are money, and stand first. */
const OF_SELLERS: Record<string, string> = { tag: "Set tags", source: "Choose" };

/** The deals that most need a look, and the way to all of them. */
export function ToDo({ changes }: { changes: RowChanges }) {
  const { data: needs, error: needsError, mutate: mutateNeeds } = useNeeds();
  const { data: tasks, error, mutate } = useTasks();
  const { kinds, total } = useToCheck();
  const first = KINDS.find(({ need }) => (kinds[need] ?? 0) > 0);
  const shown = tasks?.data.length ?? 0;
  const ofSellers = needs?.data.filter(({ key }) => OF_SELLERS[key]) ?? [];
  const failed = (needsError && !needs) || (error && !tasks);
  const retry = () => {
    void mutateNeeds();
    void mutate();
  };
  return (
    <Block title="To do" note={first ? `${count(total)} to check` : undefined} className="flex flex-col">
      {failed && <NotLoaded title="Failed to load what is to do" onRetry={retry} />}
      {tasks && needs && shown === 0 && !first && ofSellers.length === 0 && (
        <p className="hint">Nothing. All is well.</p>
      )}
      {ofSellers.filter(({ key }) => key === "tag").map(needOfSeller)}
      {shown > 0 && <Tasks tasks={tasks?.data ?? []} changes={changes} />}
      {ofSellers.filter(({ key }) => key === "source").map(needOfSeller)}
      {first && (
        <>
          <ul aria-label="What is to check" className="flex flex-wrap gap-2 border-line border-t pt-3">
            {KINDS.filter(({ need }) => (kinds[need] ?? 0) > 0).map(({ need, to, title }) => (
              <li key={need}>
                <Link to={to} className="btn rounded-full font-normal">
                  {title} <small>{count(kinds[need] ?? 0)}</small>
                </Link>
              </li>
            ))}
          </ul>
          <ButtonLink to={first.to} className="mt-3 w-full">
            All {count(total)} to check
          </ButtonLink>
        </>
      )}
    </Block>
  );
}

function needOfSeller({ key, text, details }: Needs["data"][number]) {
  return (
    <p key={key} className="mb-2.5 flex items-center justify-between gap-3 border-line border-b pb-2.5">
      <span className="min-w-0">
        <b>{text}</b>
        <small className="block">{details}</small>
      </span>
      <ButtonLink
        to={office.sources}
        className="btn-tonal shrink-0"
        aria-label={`${OF_SELLERS[key]}: ${text}`}
      >
        {OF_SELLERS[key]}
      </ButtonLink>
    </p>
  );
}
