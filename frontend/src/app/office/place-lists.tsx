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

/** Links to the office's screens, a list below a heading for each kind of work. */
export function PlaceLists({ without = [], counts = {} }: PlaceListsProps) {
  const { isAdmin } = useSession();
  return GROUPS.map(([group, all]) => {
    const places = placesOf({ isAdmin }, all).filter((place) => !without.includes(place));
    return (
      places.length > 0 && (
        <div key={group} className="places">
          <p aria-hidden>{group}</p>
          <ul aria-label={group}>
            {places.map(({ to, name, icon }) => {
              const number = counts[to];
              return (
                <li key={to}>
                  <BarLink to={to} className="rail-item">
                    <Icon of={icon} />
                    {name}
                    {number !== undefined && (
                      <span className="tabular ml-auto font-normal">{count(number)}</span>
                    )}
                  </BarLink>
                </li>
              );
            })}
          </ul>
        </div>
      )
    );
  });
}
