import clock from "icon:rotate-ccw-clock";
import { useState } from "react";
import { clearSearches, recentSearches } from "../../lib/device/recent-searches";
import { clearRecentSearches, recentSearchesTitle } from "../../texts/en.json";
import { Icon } from "../../ui/icon";

interface RecentSearchesProps {
  onSearch: (search: string) => void;
  onCleared: () => void;
}

export function RecentSearches({ onSearch, onCleared }: RecentSearchesProps) {
  const [searches, setSearches] = useState(recentSearches);
  if (searches.length === 0) {
    return null;
  }
  return (
    <section
      aria-label={recentSearchesTitle}
      className="absolute inset-x-0 top-full z-40 mt-1 rounded border border-line bg-surface py-1"
    >
      <ul>
        {searches.map((search) => (
          <li key={search}>
            <button
              type="button"
              onClick={() => onSearch(search)}
              className="flex min-h-11 w-full items-center gap-3 px-3 text-left text-sm hover:bg-raised wide:min-h-9"
            >
              <Icon of={clock} className="shrink-0 text-ink-3" />
              <span className="truncate">{search}</span>
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => {
          clearSearches();
          setSearches([]);
          onCleared();
        }}
        className="min-h-11 rounded px-3 text-sm text-accent hover:bg-raised wide:min-h-9"
      >
        {clearRecentSearches}
      </button>
    </section>
  );
}
