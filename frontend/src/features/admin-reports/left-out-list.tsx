import { useState } from "react";
import { useLeftOut } from "../../api/reports";
import { Pager } from "../../product/pager";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";

const TIME = new Intl.DateTimeFormat("en-IN", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "Asia/Kolkata",
});

/** Each click that was left out, with its reason: nothing is left out without one. */
export function LeftOutList() {
  const [page, setPage] = useState(1);
  const { data, error, mutate } = useLeftOut(page);
  return (
    <section aria-labelledby="left-out" className="flex flex-col gap-2 border-t border-line pt-4">
      <h2 id="left-out" className="text-lg font-semibold">
        Left out
      </h2>
      {error && !data && (
        <Notice title="Failed to load the clicks">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      )}
      {data && data.meta.total === 0 && <p className="hint">No click was left out yet.</p>}
      <ol className="max-w-[48rem]">
        {data?.data.map(({ at, title, reason, agent }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a click has nothing of its own
          <li key={index} className="border-t border-line py-2 text-sm first:border-0">
            <p className="font-semibold">{reason}</p>
            <p className="line-clamp-2 break-words">{title}</p>
            {agent !== "" && <p className="line-clamp-2 text-xs break-all text-ink-3">{agent}</p>}
            <time dateTime={at} className="text-xs text-ink-3">
              {TIME.format(new Date(at))}
            </time>
          </li>
        ))}
      </ol>
      {data && data.meta.totalPages > 1 && (
        <Pager page={page} totalPages={data.meta.totalPages} onPage={setPage} />
      )}
    </section>
  );
}
