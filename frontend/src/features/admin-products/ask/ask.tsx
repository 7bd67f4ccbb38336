import magnifier from "icon:search";
import cross from "icon:x";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { ProductQuery } from "../../../api/products/query";
import { useFacets } from "../../../api/products/related";
import { maxSearch } from "../../../lib/constants.json";
import { useCategoryNames } from "../../../shop/categories";
import { Icon } from "../../../ui/icon";
import { type Asked, chosenOf, offersFor } from "./offers";

interface AskProps {
  query: ProductQuery;
  onAsk: (asked: Asked) => void;
}

/**
 * One field for search and filters: what is typed is offered as a search, a seller, a category, a price or an
 * age, and what was chosen stands in the field until it is removed.
 */
export function Ask({ query, onAsk }: AskProps) {
  const { source: _, page: __, limit: ___, sortBy: ____, order: _____, ...others } = query;
  const { data: facets } = useFacets(others);
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const chosen = chosenOf(query);
  const categories = useCategoryNames();
  const offers = open ? offersFor(text, facets?.sources.map(({ name }) => name) ?? [], categories) : [];
  const here = Math.min(at, offers.length - 1);
  // Nothing is chosen by Enter before something was typed or pointed at.
  const active = text === "" && at === 0 ? -1 : here;
  useSlash(field);

  const ask = (asked: Asked | undefined) => {
    if (asked) {
      setText("");
      setOpen(false);
      setAt(0);
      onAsk(asked);
      field.current?.focus();
    }
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt(open ? (here + step + offers.length) % offers.length : 0);
      setOpen(true);
    } else if (event.key === "Enter") {
      event.preventDefault();
      ask((open ? offers : offersFor(text, [], categories))[Math.max(active, text === "" ? -1 : 0)]?.asked);
    } else if (event.key === "Escape" && open) {
      setOpen(false);
    } else if (event.key === "Backspace" && text === "") {
      ask(chosen.at(-1)?.asked);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it closes what the field inside opened
    <div
      className="relative flex flex-wrap items-center gap-x-2 gap-y-1 rounded-[12px] border border-field bg-surface px-2 py-px outline-focus outline-offset-2 has-[input:focus-visible]:outline-2"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) {
          setOpen(false);
        }
      }}
    >
      <Icon of={magnifier} className="mx-1 size-[18px] text-ink-2" />
      {chosen.map(({ label, asked }) => (
        <button
          key={label}
          type="button"
          className="relative flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-accent bg-accent-bg ps-3 pe-2 font-semibold text-accent after:absolute after:-inset-y-1.5 after:inset-x-0"
          aria-label={`Remove ${label}`}
          onClick={() => ask(asked)}
        >
          <span className="truncate">{label}</span>
          <Icon of={cross} />
        </button>
      ))}
      <input
        ref={field}
        type="text"
        className="min-h-11 min-w-0 flex-[1_1_8rem] text-ellipsis outline-none"
        role="combobox"
        aria-label="Search deals"
        aria-expanded={offers.length > 0}
        aria-controls={`${id}-offers`}
        aria-activedescendant={active >= 0 && offers.length > 0 ? `${id}-${active}` : undefined}
        placeholder="Search, or choose a seller, category or price"
        autoComplete="off"
        enterKeyHint="search"
        maxLength={maxSearch}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={press}
      />
      <kbd aria-hidden className="rounded bg-raised px-2 py-0.5 font-sans text-ink-3 text-xs max-wide:hidden">
        /
      </kbd>
      <div
        id={`${id}-offers`}
        role="listbox"
        aria-label="Offers"
        tabIndex={-1}
        className="floating top-[calc(100%+4px)] left-0 w-[min(26rem,100%)] empty:hidden"
        onPointerDown={(event) => event.preventDefault()}
      >
        {offers.map(({ label, asked }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus (ARIA combobox)
          <div
            key={label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className="palette-item hover:bg-raised"
            onClick={() => ask(asked)}
          >
            {label}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Gives the field the focus when / is pressed outside of another field. */
function useSlash(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const typing = document.activeElement?.matches("input, textarea, select, dialog *") ?? false;
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        field.current?.focus();
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [field]);
}
