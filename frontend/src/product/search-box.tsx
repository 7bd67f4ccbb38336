// Mirrored by src/http/pages/list/filters.rs

import magnifier from "icon:search";
import cross from "icon:x";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { paths } from "../lib/paths";
import { Button } from "../ui/button";
import { HiddenFields } from "../ui/form/hidden-fields";
import { useTypedBefore } from "../ui/form/use-typed-before";
import { Icon } from "../ui/icon";
import { MAX_SEARCH } from "./list-state";

/** The id of the field, which links lead to. */
export const SEARCH_FIELD = "search";

// Only who comes back to the field needs it; searching goes on without it too.
const RecentSearches = lazy(() =>
  import("./recent-searches").then(
    (module) => ({ default: module.RecentSearches }),
    () => ({ default: () => null }),
  ),
);

/** Its code comes with the first search; a search goes on without it too. */
function remember(search: string): void {
  import("../lib/device/recent-searches").then(
    ({ rememberSearch }) => rememberSearch(search),
    () => undefined,
  );
}

interface SearchBoxProps {
  /** What is being searched for now. */
  value: string;
  onSearch: (search: string) => void;
  /** The id and the label of the field, where it is not the shop's own. */
  id?: string;
  label?: string;
  /** What else the address says, for a search without JavaScript. */
  others?: readonly [string, string][];
}

/** Searches on Enter or by its button; the way here from /search focuses it. */
export function SearchBox({
  value,
  onSearch,
  id = SEARCH_FIELD,
  label = "Search deals",
  others = [],
}: SearchBoxProps) {
  // What is typed belongs to the search it was typed over: when that changes, by
  // the back button for one, the field shows the new one.
  const [typed, setTyped] = useState({ over: value, text: value });
  const text = typed.over === value ? typed.text : value;
  const setText = (changed: string) => setTyped({ over: value, text: changed });
  const [attended, setAttended] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useFocusWhenAsked(field, id === SEARCH_FIELD);
  useTypedBefore(field, value, setText);

  const search = (wanted: string) => {
    setTyped({ over: wanted, text: wanted });
    setAttended(false);
    if (wanted !== "") {
      remember(wanted);
    }
    onSearch(wanted);
  };

  return (
    <form
      action={paths.listing}
      className="search-form"
      onSubmit={(event) => {
        event.preventDefault();
        // What the field holds: it may have been typed before the app knew of it.
        search((field.current?.value ?? text).trim());
      }}
      onFocus={() => setAttended(document.activeElement === field.current || attended)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) {
          setAttended(false);
        }
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" && attended) {
          setAttended(false);
          field.current?.focus();
        }
      }}
    >
      <HiddenFields fields={others} />
      <div className="search-field">
        <Icon of={magnifier} />
        <input
          ref={field}
          id={id}
          type="search"
          name="search"
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={MAX_SEARCH}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {text !== "" && (
          <button
            type="button"
            aria-label="Clear search"
            className="needs-script"
            onClick={() => {
              setText("");
              field.current?.focus();
              if (value !== "") {
                onSearch("");
              }
            }}
          >
            <Icon of={cross} />
          </button>
        )}
      </div>
      <Button type="submit">Search</Button>
      {attended && text === "" && (
        <Suspense>
          <RecentSearches onSearch={search} onCleared={() => field.current?.focus()} />
        </Suspense>
      )}
    </form>
  );
}

function useFocusWhenAsked(field: { current: HTMLInputElement | null }, mine: boolean): void {
  const location = useLocation();
  const wanted = (location.state as { focusSearch?: boolean } | null)?.focusSearch === true;
  // The key changes with every navigation, so asking again focuses again; coming
  // back to where it was asked is no asking.
  const type = useNavigationType();
  const asked = mine && type !== "POP" && wanted ? location.key : undefined;

  useEffect(() => {
    if (asked !== undefined) {
      field.current?.focus();
    }
  }, [asked, field]);
}
