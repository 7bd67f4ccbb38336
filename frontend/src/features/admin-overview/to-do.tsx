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
const OF_SELLERS: Record<string, string> = { tag: "Set tags", source: "Decide" };

/** The deals that most need a look, and the way to all of them. */
export function ToDo({ changes }: { changes: RowChanges }) {
  const { data: needs, error: needsError, mutate: mutateNeeds } = useNeeds();
  const { data: tasks, error, mutate } = useTasks();
  const { kinds, fresh, total, newly } = useToCheck();
  const work = KINDS.filter(({ need }) => (kinds[need] ?? 0) + (fresh[need] ?? 0) > 0);
  const [first] = work;
  const shown = tasks?.data.length ?? 0;
  const ofSellers = needs?.data.filter(({ key }) => OF_SELLERS[key]) ?? [];
  const failed = (needsError && !needs) || (error && !tasks);
  const retry = () => {
    void mutateNeeds();
    void mutate();
  };
  return (
    <Block title="To do" note={first && `${inWords(total, newly)} to check`} className="flex flex-col">
      {failed && <NotLoaded title="Failed to load the to-do list" onRetry={retry} />}
      {tasks && needs && shown === 0 && !first && ofSellers.length === 0 && (
        <p className="hint">Nothing. All is well.</p>
      )}
      {ofSellers.filter(({ key }) => key === "tag").map(needOfSeller)}
      {shown > 0 && (
        <div className="border-line pb-2.5 [p+&]:border-t [p+&]:pt-2.5">
          <Tasks tasks={tasks?.data ?? []} changes={changes} />
        </div>
      )}
      {ofSellers.filter(({ key }) => key === "source").map(needOfSeller)}
      {first && (
        <>
          <ul aria-label="To check, by reason" className="flex flex-wrap gap-2 border-line border-t pt-3">
            {work.map(({ need, to, title }) => (
              <li key={need}>
                <Link to={to} className="btn rounded-full font-normal">
                  {title} <small>{inWords(kinds[need] ?? 0, fresh[need] ?? 0)}</small>
                </Link>
              </li>
            ))}
          </ul>
          <ButtonLink to={first.to} className="mt-3 w-full">
            {`Start with “${first.title}”`}
          </ButtonLink>
        </>
      )}
    </Block>
  );
}

/** Returns the count of a kind, with what came since work began apart: its list has both. */
function inWords(known: number, fresh: number): string {
  const parts = [known > 0 && count(known), fresh > 0 && `${count(fresh)} new`];
  return parts.filter(Boolean).join(" + ");
}

function needOfSeller({ key, text, details }: Needs["data"][number]) {
  return (
    <p
      key={key}
      className="flex items-center justify-between gap-3 border-line border-t py-2.5 first-of-type:border-t-0 first-of-type:pt-0"
    >
      <span className="min-w-0 wrap-anywhere">
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
