import { useState } from "react";
import { useNeeds, useOverview, useTasks } from "../../api/office/overview";
import type { Overview } from "../../api/types";
import { paths } from "../../lib/paths";
import { count, counted } from "../../lib/rupees";
import { weekday } from "../../lib/time";
import { useWaitingDeals } from "../../product/form/capture/waiting";
import { WaitingDeals } from "../../product/form/capture/waiting-deals";
import type { RowChanges } from "../../product/office/deal-row";
import { PasteLink } from "../../product/office/paste-link";
import { type Done, useRowChanges } from "../../product/office/row-changes";
import { UndoBar } from "../../product/office/undo-bar";
import { Link } from "../../ui/link";
import { Loaded } from "../../ui/loaded";
import { OfficeScreen } from "../../ui/office-screen";
import { Bar } from "../../ui/plot/bar";
import { DealSearch } from "./deal-search";
import { Movers } from "./movers";
import { Once } from "./once";
import { ToDo } from "./to-do";
import { Week } from "./week";

/** The office's first page: today's work, and the week. */
export function OverviewPage() {
  const { data, error, mutate } = useOverview();
  const needs = useNeeds();
  const tasks = useTasks();
  const waiting = useWaitingDeals();
  // Late parts would push the rest down.
  const ready = [needs, tasks, waiting].every((one) => one.data !== undefined || one.error !== undefined);
  const [done, setDone] = useState<Done>();
  const changes = useRowChanges(setDone);
  return (
    <OfficeScreen title="Today" note={data && weekday(data.now)}>
      {data && ready && <Once overview={data} />}
      <PasteLink main />
      <Loaded
        call={{ data: ready ? data : undefined, error: data ? undefined : error, mutate }}
        failure="Failed to load the figures"
      >
        {(overview) => <Contents overview={overview} changes={changes} />}
      </Loaded>
      <UndoBar done={done} onOver={() => setDone(undefined)} />
    </OfficeScreen>
  );
}

function Contents({ overview, changes }: { overview: Overview; changes: RowChanges }) {
  return (
    <>
      <WaitingDeals />
      <div className="cols today">
        <div>
          <Week overview={overview} />
          <Movers movers={overview.movers} />
        </div>
        <div>
          <ToDo changes={changes} />
          {overview.products > 0 && <DealSearch changes={changes} />}
          <section className="pane">
            <Channels overview={overview} />
            <NotFound overview={overview} />
          </section>
        </div>
      </div>
    </>
  );
}

/** Channels listed by name; the others are summed. */
const CHANNELS = 4;

function Channels({ overview: { channels } }: { overview: Overview }) {
  const others = channels.slice(CHANNELS);
  const rest = others.reduce((sum, { counted: clicks }) => sum + clicks, 0);
  const rows = channels.slice(0, CHANNELS).map(({ label, counted: clicks }) => ({ label, clicks }));
  if (others.length > 0) {
    rows.push({ label: counted(others.length, "other", "others"), clicks: rest });
  }
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks));
  return (
    <>
      <Head title="Where visitors came from" />
      {rows.length === 0 && <p className="hint">No clicks were counted yet.</p>}
      <ul className="grid gap-2">
        {rows.map(({ label, clicks }) => (
          <li
            key={label}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(2.5rem,auto)] items-center gap-3 break-words"
          >
            {label}
            <Bar part={clicks / most} />
            <b className="text-end">{count(clicks)}</b>
          </li>
        ))}
      </ul>
    </>
  );
}

function NotFound({ overview: { emptySearches } }: { overview: Overview }) {
  return (
    <div className="pt-6">
      <Head title="Searches that found nothing" />
      {emptySearches.length === 0 && (
        <p className="hint">Every search found something, or nobody searched.</p>
      )}
      <ul className="flex flex-wrap gap-2">
        {emptySearches.map(({ words, times }) => (
          <li key={words} className="min-w-0">
            <Link
              to={`${paths.listing}?search=${encodeURIComponent(words)}`}
              className="btn max-w-full rounded-full font-normal"
            >
              <span className="truncate">{words}</span> <small>{count(times)}</small>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Head({ title }: { title: string }) {
  return (
    <div className="pane-head">
      <h2>{title}</h2>
      <p className="quiet">7 days</p>
    </div>
  );
}
