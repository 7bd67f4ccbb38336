import plus from "icon:plus";
import { useState } from "react";
import { useNeeds, useOverview, useTasks } from "../../api/office/overview";
import type { Overview } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { count, counted } from "../../lib/rupees";
import { fullTime, shortDay } from "../../lib/time";
import { useWaitingDeals } from "../../product/form/capture/waiting";
import { WaitingDeals } from "../../product/form/capture/waiting-deals";
import type { RowChanges } from "../../product/office/deal-row";
import { PasteLink } from "../../product/office/paste-link";
import { type Done, useRowChanges } from "../../product/office/row-changes";
import { UndoBar } from "../../product/office/undo-bar";
import { useSession } from "../../session/session";
import { Button, ButtonLink } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { Block, OfficeScreen } from "../../ui/office-screen";
import { LazyPlot } from "../../ui/plot/lazy-plot";
import { DealSearch } from "./deal-search";
import { Figures } from "./figures";
import { Movers } from "./movers";
import { Needs } from "./needs";
import { Setup } from "./setup";

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
    <OfficeScreen
      title="Overview"
      note={data && fullTime(data.now)}
      actions={
        <div className="beside-tabs">
          <ButtonLink to={office.files}>Import</ButtonLink>
          <ButtonLink to={paths.addProduct}>
            <Icon of={plus} />
            Add product
          </ButtonLink>
        </div>
      }
    >
      <PasteLink main />
      {error && !data && (
        <Notice title="Failed to load the figures">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      )}
      {!(data && ready) && !error && (
        <p role="status" className="quiet">
          Loading...
        </p>
      )}
      {data && ready && <Contents overview={data} changes={changes} />}
      <UndoBar done={done} onOver={() => setDone(undefined)} />
    </OfficeScreen>
  );
}

function Contents({ overview, changes }: { overview: Overview; changes: RowChanges }) {
  const { isAdmin } = useSession();
  const toDo = isAdmin && overview.setup.some(({ done }) => !done);
  const isNew = overview.products === 0;
  return (
    <>
      {toDo && isNew && <Setup steps={overview.setup} />}
      <WaitingDeals />
      {!isNew && <DealSearch changes={changes} />}
      <Figures overview={overview} />
      <div className="cols cols-tasks">
        <Needs changes={changes} />
        <ByDay overview={overview} />
      </div>
      <div className="cols">
        <Movers movers={overview.movers} />
        <div className="stack">
          <Channels overview={overview} />
          <NothingFound overview={overview} />
        </div>
      </div>
      {toDo && !isNew && <Setup steps={overview.setup} />}
    </>
  );
}

function ByDay({ overview: { days, verdicts } }: { overview: Overview }) {
  const sum = (of: "counted" | "leftOut") => days.reduce((all, row) => all + row[of], 0);
  const [inAll, leftOut] = [sum("counted"), sum("leftOut")];
  const why = verdicts.filter((row) => row.leftOut > 0).slice(0, 5);
  return (
    <Block title="Clicks by day" className="pane-fill">
      {inAll + leftOut === 0 ? (
        <p className="hint">Nothing was clicked in the last 30 days.</p>
      ) : (
        <>
          <p className="plot-key">
            <span>
              <i className="plot-key-in" />
              Counted {count(inAll)}
            </span>
            <span>
              <i className="plot-key-out" />
              Not counted {count(leftOut)}
            </span>
          </p>
          <LazyPlot
            title="Clicks by day, 30 days"
            kind="bars"
            column="Day"
            series={["counted", "not counted"]}
            points={days.map(({ key, counted: some, leftOut: others }) => ({
              name: shortDay(key),
              short: shortDay(key),
              values: [some, others],
            }))}
            unfinished
          />
          {leftOut > 0 && (
            <div className="left-out">
              <dl>
                {why.map(({ key, label, leftOut: clicks }) => (
                  <div key={key}>
                    <dt>{label}</dt>
                    <dd>{count(clicks)}</dd>
                  </div>
                ))}
              </dl>
              <Link to={`${office.reports}?by=verdict`} className="link">
                Why not counted
              </Link>
            </div>
          )}
        </>
      )}
    </Block>
  );
}

/** Channels listed by name; the others are summed. */
const CHANNELS = 4;

function Channels({ overview: { channels } }: { overview: Overview }) {
  const others = channels.slice(CHANNELS);
  const rest = others.reduce((sum, { counted: clicks }) => sum + clicks, 0);
  return (
    <Block title="Where clicks came from" note="7 days">
      {channels.length === 0 && <p className="hint">No clicks were counted yet.</p>}
      <ul className="tally">
        {channels.slice(0, CHANNELS).map(({ key, label, counted: clicks }) => (
          <li key={key}>
            {label}
            <b>{count(clicks)}</b>
          </li>
        ))}
        {others.length > 0 && (
          <li>
            {counted(others.length, "other", "others")}
            <b>{count(rest)}</b>
          </li>
        )}
      </ul>
    </Block>
  );
}

function NothingFound({ overview: { emptySearches } }: { overview: Overview }) {
  return (
    <Block title="Nothing found for" note="7 days">
      {emptySearches.length === 0 && <p className="hint">Every search found something.</p>}
      <ul className="tally">
        {emptySearches.map(({ words, times }) => (
          <li key={words}>
            <Link to={`${paths.listing}?search=${encodeURIComponent(words)}`} className="truncate">
              {words}
            </Link>
            <b>{count(times)}</b>
          </li>
        ))}
      </ul>
    </Block>
  );
}
