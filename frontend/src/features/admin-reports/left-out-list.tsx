import { useState } from "react";
import { useLeftOut } from "../../api/office/reports";
import { moment } from "../../lib/time";
import { Pager } from "../../product/pager";
import { Loaded } from "../../ui/loaded";

/** Each click that was not counted, on demand. */
export function LeftOutList() {
  const [open, setOpen] = useState(false);
  return (
    <details className="pane disclosure" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Each click that was not counted <span className="quiet">The newest 10,000 of 30 days</span>
      </summary>
      {open && <List />}
    </details>
  );
}

function List() {
  const [page, setPage] = useState(1);
  return (
    <>
      <Loaded call={useLeftOut(page)} failure="Failed to load the clicks">
        {({ data, meta }) => (
          <>
            {meta.total === 0 && <p className="hint">Every click so far is counted.</p>}
            <ol className="lines">
              {data.map(({ at, title, reason, agent }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a click has no id
                <li key={index}>
                  <b>{reason}</b>
                  <span className="block truncate">{title}</span>
                  <time className="text-ink-3" dateTime={at}>
                    {moment(at)}
                  </time>
                  {agent !== "" && <small className="block truncate">{agent}</small>}
                </li>
              ))}
            </ol>
            {meta.totalPages > 1 && <Pager page={page} totalPages={meta.totalPages} onPage={setPage} />}
          </>
        )}
      </Loaded>
      <p className="hint pt-2">Known bots and obvious scripts are not counted; clever ones may be.</p>
    </>
  );
}
