import down from "icon:arrow-down";
import up from "icon:arrow-up";
import both from "icon:arrow-up-down";
import { Icon } from "../../ui/icon";

export interface Sorting {
  sortBy: string;
  order: string;
  onSort: (sortBy: string, order: string) => void;
}

interface SortHeaderProps {
  name: string;
  sort: string;
  sorting: Sorting | undefined;
}

/** A column heading that sorts, highest first; pressed again, lowest first; then as usual. */
export function SortHeader({ name, sort, sorting }: SortHeaderProps) {
  if (!sorting) {
    return <th scope="col">{name}</th>;
  }
  const here = sorting.sortBy === sort;
  const rises = here && sorting.order === "asc";
  return (
    <th scope="col" aria-sort={here ? (rises ? "ascending" : "descending") : undefined}>
      <button
        type="button"
        className="flex min-h-11 items-center gap-1 aria-[sort]:text-ink"
        onClick={() => (rises ? sorting.onSort("", "") : sorting.onSort(sort, here ? "asc" : "desc"))}
      >
        {name}
        <Icon of={here ? (rises ? up : down) : both} className={here ? "size-3.5" : "size-3.5 opacity-60"} />
      </button>
    </th>
  );
}
