import { type ReactNode, useEffect, useRef } from "react";
import { useStateCounts } from "../../api/office/catalogue";
import { useToCheck } from "../../api/office/overview";
import { count } from "../../lib/rupees";
import { KINDS } from "../../product/office/kinds";
import { classNames } from "../../ui/class-names";
import { Link } from "../../ui/link";

/** Lives of products, as the tabs name them. */
export const STATES = [
  { address: "", counted: "live", name: "Live" },
  { address: "scheduled", counted: "scheduled", name: "Scheduled" },
  { address: "draft", counted: "drafts", name: "Drafts" },
  { address: "ended", counted: "ended", name: "Ended" },
] as const;

/** The card of a kind of work. */
const KIND =
  "grid content-center rounded-[14px] border bg-surface px-4 py-2 wide:grid-cols-[auto_minmax(0,1fr)] wide:gap-x-2.5 wide:px-3";

interface ViewsProps {
  /** Kind of work that is shown, by its name in the address. */
  kind: string | undefined;
  state: string | undefined;
}

/** Products by life, and what is to check; its kinds are cards with the number of products. */
export function Views({ kind, state }: ViewsProps) {
  const { data: counts } = useStateCounts();
  const { kinds, fresh, total, newly } = useToCheck();
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view is current, or the counts move it
  useEffect(() => {
    for (const current of strip.current?.querySelectorAll<HTMLElement>("[aria-current]") ?? []) {
      const row = current.parentElement;
      if (row) {
        // No further than needed: what comes first is the work to do.
        const [one, all] = [current.getBoundingClientRect(), row.getBoundingClientRect()];
        row.scrollLeft += Math.max(0, one.right - all.right + 16) + Math.min(0, one.left - all.left - 16);
      }
    }
  }, [kind, state, counts, total]);
  const work = KINDS.filter(({ need, name }) => name === kind || (kinds[need] ?? 0) + (fresh[need] ?? 0) > 0);
  return (
    <nav ref={strip} aria-label="Views" className="grid min-w-0 gap-3">
      <div className="views">
        <View to={(work[0] ?? KINDS[0]).to} current={kind !== undefined}>
          To check{" "}
          <span className="rounded-full bg-accent-bg px-2 py-px font-bold text-accent text-xs">
            {count(total + newly)}
          </span>
        </View>
        {STATES.map(({ address, counted, name }) => (
          <View
            key={name}
            to={address === "" ? "/admin/products" : `/admin/products?state=${address}`}
            current={kind === undefined && (state ?? "") === address}
          >
            {name} {counts && <small className="tabular">{count(counts[counted])}</small>}
          </View>
        ))}
      </div>
      {kind !== undefined && (
        <div className="-mx-4 grid auto-cols-[68%] grid-flow-col gap-3 overflow-x-auto px-4 [scroll-padding-inline:1rem] [scrollbar-width:none] wide:m-0 wide:auto-cols-[minmax(0,1fr)] wide:p-0">
          {work.map(({ to, name, need, title, note }) => (
            <View
              key={name}
              to={to}
              current={name === kind}
              className={classNames(
                KIND,
                name === kind ? "border-fill shadow-[inset_0_0_0_1px_var(--fill)]" : "border-line",
              )}
            >
              <b className="display tabular text-[1.625rem] leading-7 wide:row-span-2 wide:self-center wide:text-[1.875rem]">
                {count((kinds[need] ?? 0) + (fresh[need] ?? 0))}
              </b>
              <span className="font-semibold wide:truncate">{title}</span>
              <small className="wide:truncate">
                {fresh[need] ? `${count(fresh[need])} of them new since you began` : note}
              </small>
            </View>
          ))}
        </div>
      )}
    </nav>
  );
}

interface ViewProps {
  to: string;
  current: boolean;
  className?: string;
  children: ReactNode;
}

function View({ to, current, className, children }: ViewProps) {
  return (
    <Link to={to} className={className} aria-current={current ? "page" : undefined}>
      {children}
    </Link>
  );
}
