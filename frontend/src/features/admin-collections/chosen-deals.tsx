import { type ReactNode, useId, useRef, useState } from "react";
import { useSWRConfig } from "swr";
import { useProductSearch } from "../../api/office/catalogue";
import { useProduct } from "../../api/products/product";
import { detailsPath } from "../../api/products/query";
import type { Product } from "../../api/types";
import { Button } from "../../ui/button";
import { INPUT, LABEL } from "../../ui/form/field";
import { useReorder } from "../../ui/reorder";

interface ChosenDealsProps {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** The chosen deals in their order, moved by dragging or by buttons, and a search to add others. */
export function ChosenDeals({ chosen, onChange }: ChosenDealsProps) {
  const [search, setSearch] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const fieldId = useId();
  const { cache } = useSWRConfig();
  const { data } = useProductSearch(search.trim());
  const found = (data?.data ?? []).filter(({ _id }) => !chosen.includes(_id));
  const nameOf = (id: string) => titleOf(cache.get(detailsPath(id)) ?? {});
  const { list, status, say, row, grip, moves } = useReorder({
    items: chosen,
    keyOf: (id) => id,
    nameOf,
    onOrder: onChange,
  });
  // The button that was pressed goes.
  const change = (next: string[], said: string) => {
    say(said);
    onChange(next);
    field.current?.focus();
  };
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="pb-1 text-sm font-semibold">Chosen deals</legend>
      {status}
      <ol ref={list} aria-label="Chosen deals in their order" className="deal-rows empty:hidden">
        {chosen.map((id, at) => (
          <li key={id} {...row(id, at)}>
            {grip(id, at)}
            <ChosenDeal id={id}>
              {(title) => (
                <>
                  <span className="min-w-0 break-words">{title}</span>
                  <div className="category-acts">
                    {moves(id, at)}
                    <Button
                      aria-label={`Remove ${title}`}
                      onClick={() =>
                        change(
                          chosen.filter((other) => other !== id),
                          `${title} is removed`,
                        )
                      }
                    >
                      Remove
                    </Button>
                  </div>
                </>
              )}
            </ChosenDeal>
          </li>
        ))}
      </ol>
      <div>
        <label htmlFor={fieldId} className={LABEL}>
          Find deals to add
        </label>
        <input
          ref={field}
          id={fieldId}
          type="search"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          // Enter searches, which happens while typing; it does not send the form.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          className={INPUT}
        />
      </div>
      <ul aria-label="Deals found" className="flex flex-col gap-2 empty:hidden">
        {found.map(({ _id, title }) => (
          <li key={_id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate">{title}</span>
            <Button aria-label={`Add ${title}`} onClick={() => change([...chosen, _id], `${title} is added`)}>
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
  children: (title: string) => ReactNode;
}

/** A chosen deal, drawn again once its title has come. */
function ChosenDeal({ id, children }: ChosenDealProps) {
  const { data, error } = useProduct(id);
  return children(titleOf({ data, error }));
}

function titleOf({ data, error }: { data?: Product | null | undefined; error?: unknown }): string {
  return data?.title ?? (error ? "A deal that is gone" : "…");
}
