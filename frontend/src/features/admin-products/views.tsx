import { type ReactNode, useEffect, useRef } from "react";
import { useStateCounts } from "../../api/office/catalogue";
import { office } from "../../lib/office-paths";
import { count } from "../../lib/rupees";
import { Link } from "../../ui/link";

export const VIEWS = [
  { value: "over", name: "Reported as over" },
  { value: "no-clicks", name: "No clicks" },
  { value: "old-price", name: "Old price" },
  { value: "pictures", name: "No picture" },
  { value: "duplicates", name: "Possible duplicates" },
  { value: "same-link", name: "Same link" },
];

const STATES = [
  { state: "scheduled", counted: "scheduled", name: "Scheduled" },
  { state: "draft", counted: "drafts", name: "Drafts" },
  { state: "ended", counted: "ended", name: "Ended" },
] as const;

export function Views({ view, state }: { view: string | null; state: string | undefined }) {
  const { data: counts } = useStateCounts();
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view is current, or the counts move it
  useEffect(() => {
    const current = strip.current?.querySelector<HTMLElement>("[aria-current]");
    if (strip.current && current) {
      strip.current.scrollLeft +=
        current.getBoundingClientRect().left - strip.current.getBoundingClientRect().left;
    }
  }, [view, state, counts]);
  return (
    <nav ref={strip} aria-label="Views" className="views">
      <View to={office.products} current={view === null && state === undefined}>
        Live
      </View>
      {STATES.map(({ state: wanted, counted, name }) => (
        <View key={wanted} to={`${office.products}?state=${wanted}`} current={state === wanted}>
          {name} {counts && <small className="tabular">{count(counts[counted])}</small>}
        </View>
      ))}
      {VIEWS.map(({ value, name }) => (
        <View key={value} to={`${office.products}?view=${value}`} current={view === value}>
          {name}
        </View>
      ))}
    </nav>
  );
}

function View({ to, current, children }: { to: string; current: boolean; children: ReactNode }) {
  return (
    <Link to={to} aria-current={current ? "page" : undefined}>
      {children}
    </Link>
  );
}
