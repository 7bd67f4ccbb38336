import magnifier from "icon:search";
import { useDeferredValue, useState } from "react";
import { useProductSearch } from "../../api/office/catalogue";
import { maxSearch } from "../../lib/constants.json";
import { office } from "../../lib/office-paths";
import { DealRow, type RowChanges } from "../../product/office/deal-row";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";

/** Finds deals while typing; their prices are changed in the results. */
export function DealSearch({ changes }: { changes: RowChanges }) {
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim());
  const { data } = useProductSearch(wanted);
  const found = wanted === "" ? undefined : data;
  const more = found && found.meta.total > found.data.length;
  return (
    <search className="grid gap-2 wide:hidden">
      <div className="search-field rounded border border-field bg-surface">
        <Icon of={magnifier} />
        <input
          type="search"
          aria-label="Find a deal"
          placeholder="Find a deal to change its price"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={maxSearch}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <p role="status" className={found?.meta.total === 0 ? "hint" : "sr-only"}>
        {found && (found.meta.total === 0 ? "No live deal matches." : `${found.meta.total} found`)}
      </p>
      {found && found.data.length > 0 && (
        <div className="pane">
          <ul className="deal-rows">
            {found.data.map((product) => (
              <DealRow key={product._id} product={product} changes={changes} />
            ))}
          </ul>
          {more && (
            <p className="pt-3">
              <Link to={`${office.products}?search=${encodeURIComponent(wanted)}`} className="link">
                All {found.meta.total}
              </Link>
            </p>
          )}
        </div>
      )}
    </search>
  );
}
