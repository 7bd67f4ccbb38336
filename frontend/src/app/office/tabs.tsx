import circlePlus from "icon:circle-plus";
import user from "icon:circle-user";
import leave from "icon:log-out";
import { useLocation } from "react-router-dom";
import { FROM_OFFICE, paths } from "../../lib/paths";
import { useSignOut } from "../../session/use-sign-out";
import { Icon } from "../../ui/icon";
import { BarLink } from "../frame/bar-link";
import { ThemeToggle } from "../frame/theme-toggle";
import { MoreButton } from "./more";
import { isAt, PLACES, type Place } from "./places";

const IN_BAR: Place[] = [PLACES.overview, PLACES.products, PLACES.reports];
const MORE = Object.values<Place>(PLACES).filter((place) => !IN_BAR.includes(place));

export function Tabs() {
  const { pathname } = useLocation();
  const signOut = useSignOut();
  return (
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
      <MoreButton
        className="bottom-item"
        without={IN_BAR}
        current={MORE.some((place) => isAt(place, pathname))}
      >
        <ul aria-label="Account" className="places">
          <li>
            <BarLink to={paths.profile} state={FROM_OFFICE} className="rail-item">
              <Icon of={user} />
              Profile
            </BarLink>
          </li>
          <li>
            <button type="button" className="rail-item" onClick={() => void signOut()}>
              <Icon of={leave} />
              Logout
            </button>
          </li>
          <li>
            <ThemeToggle className="rail-item" />
          </li>
        </ul>
      </MoreButton>
    </nav>
  );
}
