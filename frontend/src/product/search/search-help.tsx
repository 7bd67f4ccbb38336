import type { ReactNode, RefObject } from "react";
import { RecentSearches } from "./recent-searches";
import { Suggestions } from "./suggestions";

export interface SearchHelpProps {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  onSearch: (search: string) => void;
  /** Called when a suggestion is followed. */
  onDone: () => void;
}

/** Below the search field that has the focus: suggestions, or recent searches while it is empty. */
export default function SearchHelp({ field, text, onSearch, onDone }: SearchHelpProps): ReactNode {
  return (
    // The focus stays in the field: some browsers give it to no link that is pressed.
    <div onPointerDown={(event) => event.preventDefault()}>
      {text === "" ? (
        <RecentSearches onSearch={onSearch} onCleared={() => field.current?.focus()} />
      ) : (
        <Suggestions field={field} text={text} onDone={onDone} />
      )}
    </div>
  );
}
