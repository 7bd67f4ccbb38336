import { useState } from "react";
import { useProductSearch } from "../../api/office/catalogue";
import { useProduct } from "../../api/products/product";
import { Button } from "../../ui/button";
import { INPUT, LABEL } from "../../ui/form/field";

interface ChosenDealsProps {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** The chosen deals in their order, moved by dragging or by buttons, and a search to add others. */
export function ChosenDeals({ chosen, onChange }: ChosenDealsProps) {
  const [search, setSearch] = useState("");
  const [dragged, setDragged] = useState<number>();
  const { data } = useProductSearch(search.trim());
  const found = (data?.data ?? []).filter(({ _id }) => !chosen.includes(_id));
  const move = (from: number, to: number) => {
    const [id] = chosen.slice(from, from + 1);
    const rest = chosen.filter((_, at) => at !== from);
    onChange(id === undefined ? rest : rest.toSpliced(to, 0, id));
  };
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-1 text-sm font-semibold">Chosen deals</legend>
      <ol className="flex flex-col gap-2">
        {chosen.map((id, at) => (
          <li
            key={id}
            draggable
            onDragStart={() => setDragged(at)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== undefined) {
                move(dragged, at);
              }
              setDragged(undefined);
            }}
            className="flex flex-wrap items-center gap-2"
          >
            <ChosenDeal
              id={id}
              first={at === 0}
              last={at === chosen.length - 1}
              onMove={(by) => move(at, at + by)}
              onRemove={() => onChange(chosen.filter((other) => other !== id))}
            />
          </li>
        ))}
      </ol>
      <label className={LABEL}>
        Find deals to add
        <input
          type="search"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          // Enter searches, which happens while typing; it does not send the form.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          className={INPUT}
        />
      </label>
      <ul aria-label="Deals found" className="flex flex-col gap-2 empty:hidden">
        {found.map(({ _id, title }) => (
          <li key={_id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate">{title}</span>
            <Button aria-label={`Add ${title}`} onClick={() => onChange([...chosen, _id])}>
              Add
            </Button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface ChosenDealProps {
  id: string;
  first: boolean;
  last: boolean;
  onMove: (by: number) => void;
  onRemove: () => void;
}

function ChosenDeal({ id, first, last, onMove, onRemove }: ChosenDealProps) {
  const { data, error } = useProduct(id);
  const title = data?.title ?? (error ? "A deal that is gone" : "…");
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{title}</span>
      <Button aria-label={`Move ${title} up`} disabled={first} onClick={() => onMove(-1)}>
        ↑
      </Button>
      <Button aria-label={`Move ${title} down`} disabled={last} onClick={() => onMove(1)}>
        ↓
      </Button>
      <Button aria-label={`Remove ${title}`} onClick={onRemove}>
        Remove
      </Button>
    </>
  );
}
