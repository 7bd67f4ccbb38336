import { useLocation } from "react-router-dom";
import { count } from "../../lib/rupees";
import { useSession } from "../../session/session";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { isAt, type Place, placesOf } from "./places";

interface PlaceListProps {
  label: string;
  places: Place[];
  /** Numbers beside places, by their address. */
  counts?: Record<string, number | undefined>;
  /** Says what each is for. */
  explained?: boolean;
}

/** Links to the screens of the office that the account may open. */
export function PlaceList({ label, places, counts = {}, explained = false }: PlaceListProps) {
  const { isAdmin } = useSession();
  const { pathname } = useLocation();
  const shown = placesOf({ isAdmin }, places);
  if (shown.length === 0) {
    return null;
  }
  return (
    <ul aria-label={label} className="places">
      {shown.map((place) => {
        const { to, name, icon, hint } = place;
        const number = counts[to];
        return (
          <li key={to}>
            <Link to={to} aria-current={isAt(place, pathname) ? "page" : undefined} className="rail-item">
              <Icon of={icon} />
              <span>
                {name}
                {explained && hint && <small>{hint}</small>}
              </span>
              {number !== undefined && <span className="tabular ml-auto font-normal">{count(number)}</span>}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
