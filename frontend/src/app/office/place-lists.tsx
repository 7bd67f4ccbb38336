import { count } from "../../lib/rupees";
import { useSession } from "../../session/session";
import { Icon } from "../../ui/icon";
import { BarLink } from "../frame/bar-link";
import { type Place, placesOf } from "./places";

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
  const shown = placesOf({ isAdmin }, places);
  if (shown.length === 0) {
    return null;
  }
  return (
    <ul aria-label={label} className="places">
      {shown.map(({ to, name, icon, hint }) => {
        const number = counts[to];
        return (
          <li key={to}>
            <BarLink to={to} className="rail-item">
              <Icon of={icon} />
              <span>
                {name}
                {explained && hint && <small>{hint}</small>}
              </span>
              {number !== undefined && <span className="tabular ml-auto font-normal">{count(number)}</span>}
            </BarLink>
          </li>
        );
      })}
    </ul>
  );
}
