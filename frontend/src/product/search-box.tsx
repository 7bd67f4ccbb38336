import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { Button } from "../ui/button";
import { MAX_SEARCH } from "./list-state";

interface SearchBoxProps {
  /** What is being searched for now. */
  value: string;
  onSearch: (search: string) => void;
}

/** Searches on Enter or by its button; the way here from /search focuses it. */
export function SearchBox({ value, onSearch }: SearchBoxProps) {
  // What is typed belongs to the search it was typed over: when that changes, by
  // the back button for one, the field shows the new one.
  const [typed, setTyped] = useState({ over: value, text: value });
  const text = typed.over === value ? typed.text : value;
  const setText = (changed: string) => setTyped({ over: value, text: changed });
  const field = useRef<HTMLInputElement>(null);
  const location = useLocation();
  const wanted = (location.state as { focusSearch?: boolean } | null)?.focusSearch === true;
  // The key changes with every navigation, so asking again focuses again; coming
  // back to where it was asked is no asking.
  const asked = useNavigationType() !== "POP" && wanted ? location.key : undefined;

  useEffect(() => {
    if (asked !== undefined) {
      field.current?.focus();
    }
  }, [asked]);

  return (
    <search>
      <form
        className="flex max-w-2xl gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const search = text.trim();
          setTyped({ over: search, text: search });
          onSearch(search);
        }}
      >
        <div className="relative min-w-0 flex-1">
          <Search
            aria-hidden
            size={18}
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
          />
          <input
            ref={field}
            type="search"
            name="search"
            aria-label="Search deals"
            placeholder="Search deals"
            autoComplete="off"
            enterKeyHint="search"
            maxLength={MAX_SEARCH}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="h-11 w-full appearance-none rounded border border-line bg-paper pr-11 pl-10 text-base hover:border-ink-3 [&::-webkit-search-cancel-button]:hidden"
          />
          {text !== "" && (
            <button
              type="button"
              aria-label="Clear search"
              className="absolute top-0 right-0 grid size-11 place-items-center rounded text-ink-3 hover:text-ink"
              onClick={() => {
                setText("");
                field.current?.focus();
                if (value !== "") {
                  onSearch("");
                }
              }}
            >
              <X aria-hidden size={18} />
            </button>
          )}
        </div>
        <Button type="submit" look="primary" className="h-11">
          Search
        </Button>
      </form>
    </search>
  );
}
