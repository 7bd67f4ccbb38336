import { useSearchParams } from "react-router-dom";
import { useActivity } from "../../api/office/catalogue";
import type { Activity } from "../../api/types";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { count, percent, rupees } from "../../lib/rupees";
import { Pager } from "../../product/pager";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";

const TIME = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeStyle: "short" });

export function ActivityPage() {
  const [parameters, setParameters] = useSearchParams();
  const page = wholeNumber(parameters.get("page")) ?? 1;
  const batch = wholeNumber(parameters.get("batch"));
  const { data, error, mutate } = useActivity(page, batch);
  return (
    <OfficeScreen title="Activity">
      {batch !== null && (
        <p className="pb-2 text-sm">
          <Link to={office.activity} className="rounded text-accent underline">
            All activity
          </Link>
        </p>
      )}
      {error && !data && (
        <Notice title="Failed to load the activity">
          <Button onClick={() => void mutate()}>Retry</Button>
        </Notice>
      )}
      {!data && !error && (
        <p role="status" className="text-sm text-ink-3">
          Loading...
        </p>
      )}
      {data && data.data.length === 0 && <Notice title="Nothing was added, changed or deleted yet." />}
      <ol className="max-w-[48rem]">
        {data?.data.map((activity, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the log has no id
          <Line key={index} activity={activity} />
        ))}
      </ol>
      {data && data.meta.totalPages > 1 && (
        <Pager
          page={page}
          totalPages={data.meta.totalPages}
          onPage={(next) =>
            setParameters({ page: String(next), ...(batch === null ? {} : { batch: String(batch) }) })
          }
        />
      )}
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
    <li className="border-t border-line py-2 text-sm">
      <p className="break-words">
        <strong className="font-semibold">{actor}</strong> {undo ? UNDONE[action] : action}{" "}
        <Subject activity={activity} />
      </p>
      <Details details={details} />
      <time dateTime={at} className="text-xs text-ink-3">
        {TIME.format(new Date(at))}
      </time>
    </li>
  );
}

/** Verbs of an undo, by the action that it undid. */
const UNDONE: Record<Activity["action"], string> = {
  added: "took back the deleting of",
  changed: "took back a change of",
  deleted: "took back the adding of",
  imported: "took back",
  set: "took back",
};

function Subject({ activity: { action, product, title, lines, batch, gone } }: { activity: Activity }) {
  if (lines > 1) {
    return (
      <Link to={`${office.activity}?batch=${batch}`} className="rounded text-accent underline">
        {count(lines)} products
      </Link>
    );
  }
  if (product === null) {
    return action === "set" ? "settings" : "a file";
  }
  return gone ? (
    <span>“{title}”</span>
  ) : (
    <Link to={paths.details(product)} className="rounded text-accent underline">
      {title}
    </Link>
  );
}

function Details({ details }: { details: Record<string, unknown> }) {
  const lines = Object.entries(details).map(([name, value]) =>
    isChange(value)
      ? `${name}: ${"from" in value ? `${show(name, value.from)} ` : ""}→ ${show(name, value.to)}`
      : `${typeof value === "number" ? count(value) : String(value)} ${name}`,
  );
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

function isChange(value: unknown): value is { from?: unknown; to: unknown } {
  return typeof value === "object" && value !== null && "to" in value;
}

function show(name: string, value: unknown): string {
  if (typeof value === "number" && (name === "price" || name === "finalPrice")) {
    return rupees(value);
  }
  if (typeof value === "number" && name === "discount") {
    return percent(value);
  }
  return typeof value === "string" ? value || "nothing" : JSON.stringify(value);
}
