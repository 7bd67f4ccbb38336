import magnifier from "icon:search";
import cross from "icon:x";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router-dom";
import { maxSearch } from "../lib/constants.json";
import { paths } from "../lib/paths";
import { clearSearch, searchButton, searchLabel } from "../texts/en.json";
import { Button } from "../ui/button";
import { HiddenFields } from "../ui/form/hidden-fields";
import { useEarlyInput } from "../ui/form/use-early-input";
import { Icon } from "../ui/icon";

/** The id of the field, which links lead to. */
export const SEARCH_FIELD = "search";

// Loaded on focus; searching works without it.
const SearchHelp = lazy(() => import("./search/search-help").catch(() => ({ default: () => null })));

/** Loaded with the first search; searching works without it. */
function remember(search: string): void {
  import("../lib/device/recent-searches").then(
    ({ rememberSearch }) => rememberSearch(search),
    () => undefined,
  );
}

interface SearchBoxProps {
  value: string;
  onSearch: (search: string) => void;
  /** Id and label of a field other than the shop's. */
  id?: string;
  label?: string;
  hint?: string | undefined;
  /** Path and other parameters of the address, for a search without JavaScript. */
  action?: string;
  others?: readonly [string, string][];
}

/** The search field; /search redirects here and focuses it. */
export function SearchBox({
  value,
  onSearch,
  id = SEARCH_FIELD,
  label = searchLabel,
  hint = label,
  action = paths.listing,
  others = [],
}: SearchBoxProps) {
  // Typed text belongs to the search that it replaces: when that changes, for example by
  // the back button, the field shows the new one.
  const [typed, setTyped] = useState({ over: value, text: value });
  const text = typed.over === value ? typed.text : value;
  const setText = (changed: string) => setTyped({ over: value, text: changed });
  const [attended, setAttended] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useFocusWhenAsked(field, id === SEARCH_FIELD);
  useEarlyInput(field, value, setText);

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
      action={action}
      className="search-form"
      onSubmit={(event) => {
        event.preventDefault();
        // The field's own value: it may have been typed before hydration.
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
          placeholder={hint}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={maxSearch}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAttended(true);
          }}
        />
        {text !== "" && (
          <button
            type="button"
            aria-label={clearSearch}
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
      <Button type="submit">{searchButton}</Button>
      {attended && (text === "" || text !== value) && (
        <Suspense>
          <SearchHelp
            field={field}
            text={text}
            onSearch={search}
            onDone={() => {
              setText(value);
              setAttended(false);
            }}
          />
        </Suspense>
      )}
    </form>
  );
}

function useFocusWhenAsked(field: { current: HTMLInputElement | null }, mine: boolean): void {
  const location = useLocation();
  const wanted = (location.state as { focusSearch?: boolean } | null)?.focusSearch === true;
  // The key changes with every navigation, so a repeated request focuses again; going back
  // does not.
  const type = useNavigationType();
  const asked = mine && type !== "POP" && wanted ? location.key : undefined;

  useEffect(() => {
    if (asked !== undefined) {
      field.current?.focus();
    }
  }, [asked, field]);
}
