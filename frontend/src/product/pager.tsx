import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { count } from "../lib/rupees";
import { Button } from "../ui/button";
import { HiddenFields } from "../ui/form/hidden-fields";
import { useTypedBefore } from "../ui/form/use-typed-before";

interface PagerProps {
  page: number;
  totalPages: number;
  onPage: (page: number) => void;
  /** What else the address says, for turning pages without JavaScript. */
  others?: readonly [string, string][];
}

/** More pages than this can be gone to by number. */
const FEW = 3;

/** Previous and next, also by the arrow keys when nothing has the focus. */
export function Pager({ page, totalPages, onPage, others = [] }: PagerProps) {
  const hasPrevious = page > 1;
  const hasNext = page < totalPages;

  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const free = document.activeElement?.matches("body, h1") ?? true;
      if (!free || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
        return;
      }
      if (event.key === "ArrowLeft" && hasPrevious) {
        onPage(page - 1);
      } else if (event.key === "ArrowRight" && hasNext) {
        onPage(page + 1);
      }
    };
    document.addEventListener("keydown", turn);
    return () => document.removeEventListener("keydown", turn);
  }, [page, hasPrevious, hasNext, onPage]);

  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-6 wide:mt-8 wide:border-t wide:border-line print:hidden"
    >
      <form
        method="get"
        className="flex flex-wrap items-center gap-2 wide:gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent as SubmitEvent;
          onPage(Number((submitter as HTMLButtonElement).value));
        }}
      >
        <HiddenFields fields={others} />
        <Button type="submit" name="page" value={page - 1} disabled={!hasPrevious}>
          <ChevronLeft aria-hidden size={16} />
          Previous
        </Button>
        <p aria-live="polite" className="tabular text-sm">{`Page ${count(page)} of ${count(totalPages)}`}</p>
        <Button type="submit" name="page" value={page + 1} disabled={!hasNext}>
          Next
          <ChevronRight aria-hidden size={16} />
        </Button>
      </form>
      {totalPages > FEW && <GoToPage totalPages={totalPages} onPage={onPage} others={others} />}
    </nav>
  );
}

function GoToPage({ totalPages, onPage, others = [] }: Omit<PagerProps, "page">) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useTypedBefore(field, "", setText);
  return (
    <form
      method="get"
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = field.current?.value ?? text;
        const wanted = Math.min(Math.max(Math.trunc(Number(typed)), 1), totalPages);
        if (typed.trim() !== "" && Number.isFinite(wanted)) {
          setText("");
          onPage(wanted);
        }
      }}
    >
      <HiddenFields fields={others} />
      <label htmlFor="go-to-page" className="text-sm text-ink-3">
        Go to page
      </label>
      <input
        ref={field}
        id="go-to-page"
        name="page"
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="tabular h-11 w-16 rounded border border-line bg-paper px-2 text-center text-base hover:border-ink-3 wide:h-9 wide:text-sm"
      />
      <Button type="submit">Go</Button>
    </form>
  );
}
