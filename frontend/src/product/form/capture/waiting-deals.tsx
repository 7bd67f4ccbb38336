import { Button } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { captureAddress } from "./arrival";
import { forgetDeal, useWaitingDeals } from "./waiting";

/** Deals that were shared or begun on this device and not added yet. */
export function WaitingDeals({ but = "" }: { but?: string }) {
  const { data, mutate } = useWaitingDeals();
  const waiting = (data ?? []).filter((fields) => fields !== but);
  if (waiting.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="waiting-deals" className="panel">
      <h2 id="waiting-deals">Not added yet</h2>
      <ul className="text-sm">
        {waiting.map((fields) => {
          const came = new URLSearchParams(fields);
          const name =
            ["title", "text", "url"].map((each) => came.get(each)?.trim()).find(Boolean) ?? "A deal";
          return (
            <li key={fields} className="flex items-center justify-between gap-3 border-t border-line py-1">
              <Link to={captureAddress(fields)} className="link min-w-0 truncate">
                {name}
              </Link>
              <Button
                variant="plain"
                aria-label={`Delete ${name}`}
                onClick={() => void forgetDeal(fields).then(() => mutate())}
              >
                Delete
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
