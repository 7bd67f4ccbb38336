import chevronLeft from "icon:chevron-left";
import chevronRight from "icon:chevron-right";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { minForPageField } from "../lib/constants.json";
import { count } from "../lib/rupees";
import { goButton, goToPage, nextPage, pageOfPages, pagesLabel, previousPage } from "../texts/en.json";
import { fill } from "../texts/fill";
import { Button, ButtonLink } from "../ui/button";
import { HiddenFields } from "../ui/form/hidden-fields";
import { useEarlyInput } from "../ui/form/use-early-input";
import { Icon } from "../ui/icon";

interface PagerProps {
  page: number;
  totalPages: number;
  onPage: (page: number) => void;
  /** Address of a page, for crawlers, new tabs and browsers without JavaScript. */
  address?: (page: number) => string;
  /** Other parameters of the address, for paging without JavaScript. */
  others?: readonly [string, string][];
}

/** Previous and next page, also by the arrow keys when nothing has the focus. */
export function Pager({ page, totalPages, onPage, address, others = [] }: PagerProps) {
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
    <nav aria-label={pagesLabel} className="pager">
      <div>
        <Turn
          to={hasPrevious ? address?.(page - 1) : undefined}
          rel="prev"
          disabled={!hasPrevious}
          onTurn={() => onPage(page - 1)}
        >
          <Icon of={chevronLeft} />
          {previousPage}
        </Turn>
        <p aria-live="polite">{fill(pageOfPages, { page: count(page), pages: count(totalPages) })}</p>
        <Turn
          to={hasNext ? address?.(page + 1) : undefined}
          rel="next"
          disabled={!hasNext}
          onTurn={() => onPage(page + 1)}
        >
          {nextPage}
          <Icon of={chevronRight} />
        </Turn>
      </div>
      {totalPages >= minForPageField && <GoToPage totalPages={totalPages} onPage={onPage} others={others} />}
    </nav>
  );
}

interface TurnProps {
  /** Address of the page, if it is one of a list that has addresses. */
  to: string | undefined;
  rel: "prev" | "next";
  disabled: boolean;
  onTurn: () => void;
  children: ReactNode;
}

function Turn({ to, rel, disabled, onTurn, children }: TurnProps) {
  if (to === undefined) {
    return (
      <Button disabled={disabled} onClick={onTurn}>
        {children}
      </Button>
    );
  }
  const turn = (event: MouseEvent) => {
    // Others open a tab or a window.
    if (event.button === 0 && !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      onTurn();
    }
  };
  return (
    <ButtonLink to={to} rel={rel} onClick={turn}>
      {children}
    </ButtonLink>
  );
}

function GoToPage({ totalPages, onPage, others = [] }: Omit<PagerProps, "page" | "address">) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEarlyInput(field, "", setText);
  return (
    <form
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
      <label htmlFor="go-to-page">{goToPage}</label>
      <input
        ref={field}
        id="go-to-page"
        name="page"
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="number-field"
      />
      <Button type="submit">{goButton}</Button>
    </form>
  );
}
