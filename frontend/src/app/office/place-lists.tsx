import { count } from "../../lib/rupees";
import { useSession } from "../../session/session";
import { Icon } from "../../ui/icon";
import { BarLink } from "../frame/bar-link";
import { GROUPS, type Place, placesOf } from "./places";

interface PlaceListsProps {
  /** Places that are left out. */
  without?: Place[];
  /** Numbers beside places, by their address. */
  counts?: Record<string, number | undefined>;
}

/** Links to the office's screens, in a list for daily work and one for running the shop. */
export function PlaceLists({ without = [], counts = {} }: PlaceListsProps) {
  const { isAdmin } = useSession();
  return Object.entries(GROUPS).map(([group, places]) => (
    <ul key={group} aria-label={group} className="places">
      {placesOf({ isAdmin }, places)
        .filter((place) => !without.includes(place))
        .map(({ to, name, icon }) => {
          const number = counts[to];
          return (
            <li key={to}>
              <BarLink to={to} className="rail-item">
                <Icon of={icon} />
                {name}
                {number !== undefined && <span className="tabular ml-auto font-normal">{count(number)}</span>}
              </BarLink>
            </li>
          );
        })}
    </ul>
  ));
}
