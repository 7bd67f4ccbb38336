import menu from "icon:menu";
import cross from "icon:x";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import { PlaceList } from "./place-lists";
import { GROUPS, type Place } from "./places";

interface MoreProps {
  /** Places that stand beside the button. */
  without: Place[];
  /** Content below the lists. */
  children?: ReactNode;
}

/** Opens a sheet with the screens that have no entry of their own in the navigation. */
export function MoreButton({
  className,
  current = false,
  ...rest
}: MoreProps & { className: string; current?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-current={current ? "page" : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon of={menu} />
        More
      </button>
      {open && <More {...rest} onClose={() => setOpen(false)} />}
    </>
  );
}

function More({ without, children, onClose }: MoreProps & { onClose: () => void }) {
  const { pathname } = useLocation();
  const [opened] = useState(pathname);
  useEffect(() => {
    if (pathname !== opened) {
      onClose();
    }
  }, [pathname, opened, onClose]);
  return (
    <Dialog labelledBy="more" className="sheet more-sheet" onClose={onClose}>
      <div className="sheet-head">
        <h2 id="more">More</h2>
        <Button variant="plain" aria-label="Close" onClick={onClose}>
          <Icon of={cross} />
        </Button>
      </div>
      {Object.entries(GROUPS).map(([group, places]) => (
        <PlaceList
          key={group}
          label={group}
          places={places.filter((place) => !without.includes(place))}
          explained
        />
      ))}
      {children}
    </Dialog>
  );
}
