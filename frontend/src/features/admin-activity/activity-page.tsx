import { useSearchParams } from "react-router-dom";
import { type Activity, useActivity } from "../../api/admin";
import { paths } from "../../lib/paths";
import { count, percent, rupees } from "../../lib/rupees";
import { Pager } from "../../product/pager";
import { Button } from "../../ui/button";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { Screen } from "../../ui/screen";

const TIME = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeStyle: "short" });

/** Who added, changed, deleted and imported what, and when. */
export function ActivityPage() {
  const [parameters, setParameters] = useSearchParams();
  const asked = Number(parameters.get("page"));
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1;
  const { data, error, mutate } = useActivity(page);
  return (
    <Screen title="Activity">
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the trail has nothing of its own
          <Line key={index} activity={activity} />
        ))}
      </ol>
      {data && data.meta.totalPages > 1 && (
        <Pager
          page={page}
          totalPages={data.meta.totalPages}
          onPage={(next) => setParameters({ page: String(next) })}
        />
      )}
    </Screen>
  );
}

function Line({ activity }: { activity: Activity }) {
  const { actor, action, product, title, details, at } = activity;
  return (
    <li className="border-t border-line py-2 text-sm">
      <p className="break-words">
        <strong className="font-semibold">{actor}</strong> {action}{" "}
        {product === null ? (
          "a file"
        ) : action === "deleted" ? (
          <span>“{title}”</span>
        ) : (
          <Link to={paths.details(product)} className="rounded text-accent underline">
            {title}
          </Link>
        )}
      </p>
      <Details details={details} />
      <time dateTime={at} className="text-xs text-ink-3">
        {TIME.format(new Date(at))}
      </time>
    </li>
  );
}

function Details({ details }: { details: Record<string, unknown> }) {
  const lines = Object.entries(details).map(([name, value]) =>
    isChange(value)
      ? `${name}: ${show(name, value.from)} → ${show(name, value.to)}`
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

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === "object" && value !== null && "from" in value && "to" in value;
}

function show(name: string, value: unknown): string {
  if (typeof value === "number" && (name === "price" || name === "finalPrice")) {
    return rupees(value);
  }
  if (typeof value === "number" && name === "discount") {
    return percent(value);
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
