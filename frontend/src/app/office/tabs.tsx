import circlePlus from "icon:circle-plus";
import menu from "icon:menu";
import cross from "icon:x";
import { useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { FROM_OFFICE } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { useSignOut } from "../../session/use-sign-out";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icon";
import { BarLink } from "../frame/bar-link";
import { ThemeToggle } from "../frame/theme-toggle";
import { PlaceLists } from "./place-lists";
import { PLACES, type Place } from "./places";

const IN_BAR: Place[] = [PLACES.overview, PLACES.products, PLACES.reports];
const MORE = Object.values<Place>(PLACES).filter((place) => !IN_BAR.includes(place));

export function Tabs() {
  const [more, setMore] = useState(false);
  const { pathname } = useLocation();
  const inMore = MORE.some(({ to }) => to === pathname);
  return (
    <>
      <nav aria-label="Office" className="bottom-bar office-tabs">
        {[PLACES.overview, PLACES.products].map(({ to, name, icon }) => (
          <BarLink key={to} to={to} className="bottom-item">
            <Icon of={icon} />
            {name}
          </BarLink>
        ))}
        <BarLink to={paths.addProduct} state={FROM_OFFICE} className="bottom-item">
          <Icon of={circlePlus} />
          Add
        </BarLink>
        <BarLink to={PLACES.reports.to} className="bottom-item">
          <Icon of={PLACES.reports.icon} />
          Reports
        </BarLink>
        <button
          type="button"
          className="bottom-item"
          aria-haspopup="dialog"
          aria-current={inMore ? "page" : undefined}
          onClick={() => setMore(true)}
        >
          <Icon of={menu} />
          More
        </button>
      </nav>
      {more && <More onClose={() => setMore(false)} />}
    </>
  );
}

function More({ onClose }: { onClose: () => void }) {
  const signOut = useSignOut();
  const { pathname } = useLocation();
  const [opened] = useState(pathname);
  useEffect(() => {
    if (pathname !== opened) {
      onClose();
    }
  }, [pathname, opened, onClose]);
  return (
    <Dialog labelledBy="more" className="sheet" onClose={onClose}>
      <div className="sheet-head">
        <h2 id="more">More</h2>
        <Button variant="plain" aria-label="Close" onClick={onClose}>
          <Icon of={cross} />
        </Button>
      </div>
      <PlaceLists without={IN_BAR} />
      <ul className="places">
        <li>
          <BarLink to={paths.profile} className="rail-item">
            Profile
          </BarLink>
        </li>
        <li className="flex items-center justify-between">
          <button type="button" className="rail-item" onClick={() => void signOut()}>
            Logout
          </button>
          <ThemeToggle className="top-item" />
        </li>
      </ul>
    </Dialog>
  );
}
