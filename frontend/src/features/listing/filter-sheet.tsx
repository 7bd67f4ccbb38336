import cross from "icon:x";
import type { ReactNode } from "react";
import { closeFilters, filtersTitle, showDeals, showDealsCount } from "../../texts/en.json";
import { plural } from "../../texts/plural";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";

interface FilterSheetProps {
  /** Number of deals with the current filters. */
  total: number | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** The filters as a sheet: each choice acts at once, and the button shows the number of results. */
export default function FilterSheet({ total, onClose, children }: FilterSheetProps) {
  return (
    <Dialog label={filtersTitle} className="sheet" onClose={onClose}>
      <div className="sheet-head">
        <h2>{filtersTitle}</h2>
        <Button variant="plain" aria-label={closeFilters} onClick={onClose}>
          <Icon of={cross} />
        </Button>
      </div>
      {children}
      <div className="sheet-foot">
        <Button variant="primary" onClick={onClose}>
          {total === undefined ? showDeals : plural(showDealsCount, total)}
        </Button>
      </div>
    </Dialog>
  );
}
