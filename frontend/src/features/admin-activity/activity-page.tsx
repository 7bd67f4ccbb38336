import { useSearchParams } from "react-router-dom";
import { useActivity } from "../../api/office/catalogue";
import type { Activity } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { count } from "../../lib/rupees";
import { moment } from "../../lib/time";
import { Pager } from "../../product/pager";
import { Link } from "../../ui/link";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { changeWords } from "./change-words";

export function ActivityPage() {
  const [parameters, setParameters] = useSearchParams();
  const page = wholeNumber(parameters.get("page")) ?? 1;
  const batch = wholeNumber(parameters.get("batch"));
  const turn = (next: number) =>
    setParameters({ page: String(next), ...(batch === null ? {} : { batch: String(batch) }) });
  return (
    <OfficeScreen title="Activity">
      {batch !== null && (
        <p className="pb-2 text-sm">
          <Link to={office.activity} className="rounded text-accent underline">
            All activity
          </Link>
        </p>
      )}
      <Loaded call={useActivity(page, batch)} failure="Failed to load the activity">
        {({ data, meta }) => (
          <>
            {data.length === 0 ? (
              <Notice title="Nothing was added, changed or deleted yet." />
            ) : (
              <ol className="pane max-w-[56rem]">
                {data.map((activity, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line of the log has no id
                  <Line key={index} activity={activity} />
                ))}
              </ol>
            )}
            {meta.totalPages > 1 && <Pager page={page} totalPages={meta.totalPages} onPage={turn} />}
          </>
        )}
      </Loaded>
    </OfficeScreen>
  );
}

function wholeNumber(text: string | null): number | null {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

function Line({ activity }: { activity: Activity }) {
  const { actor, action, details, at, undo } = activity;
  return (
    <li className="border-line py-2.5 text-sm not-first:border-t">
      <p className="break-words">
        <strong className="font-semibold">{ACTORS[actor] ?? actor}</strong> {(undo ? UNDONE : DONE)[action]}{" "}
        <Subject activity={activity} />
      </p>
      <Details details={details} />
      <time dateTime={at} className="text-xs text-ink-3">
        {moment(at)}
      </time>
    </li>
  );
}

/** Names of the actors that are no person, as a sentence begins; no account may have one of these names. */
const ACTORS: Record<string, string> = {
  "command line": "The command line",
  "the server": "The server",
};

const DONE: Record<Activity["action"], string> = {
  added: "added",
  changed: "changed",
  deleted: "deleted",
  imported: "imported",
  set: "changed",
};

/** Verbs of an undo, by what the undo did. */
const UNDONE: Record<Activity["action"], string> = {
  added: "undid the deletion of",
  changed: "undid a change to",
  deleted: "undid the addition of",
  imported: "undid the import of",
  set: "undid a change to",
};

/** Names of what a change of no product was about, by what its entries begin with. */
const AREAS: Record<string, string> = {
  person: "people",
  secondFactor: "people",
  recoveryCodes: "people",
  key: "the API keys",
  category: "the categories",
  collection: "the collections",
  channel: "the channels",
  webhook: "the webhooks",
  source: "the sellers",
  sellerText: "the sellers",
  tag: "the sellers",
  offers: "the sellers",
  shop: "the sellers",
  queue: "the queue",
  page: "the pages",
};

function area(details: Activity["details"]): string {
  const [name = ""] = Object.keys(details);
  return AREAS[name.split(".")[0] ?? ""] ?? "the settings";
}

function Subject({ activity }: { activity: Activity }) {
  const { action, product, title, lines, batch, gone } = activity;
  if (lines > 1) {
    return (
      <Link to={`${office.activity}?batch=${batch}`} className="rounded text-accent underline">
        {count(lines)} deals
      </Link>
    );
  }
  if (product === null) {
    return action === "set" ? area(activity.details) : "a file";
  }
  return gone ? (
    <span>“{title}”</span>
  ) : (
    <Link to={paths.details(product)} className="rounded text-accent underline">
      {title}
    </Link>
  );
}

function Details({ details }: { details: Activity["details"] }) {
  const lines = changeWords(details);
  return lines.length === 0 ? null : (
    <ul className="text-ink-2">
      {lines.map((line) => (
        <li key={line} className="line-clamp-2 break-words">
          {line}
        </li>
      ))}
    </ul>
  );
}
