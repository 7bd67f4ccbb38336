import user from "icon:circle-user";
import eye from "icon:external-link";
import magnifier from "icon:search";
import { useLocation } from "react-router-dom";
import { useFacets } from "../../api/products/related";
import { FROM_OFFICE, paths } from "../../lib/paths";
import { readQuery } from "../../product/list-state";
import { useSession } from "../../session/session";
import { useSignOut } from "../../session/use-sign-out";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { BarLink } from "../frame/bar-link";
import { Brand } from "../frame/brand";
import { ThemeToggle } from "../frame/theme-toggle";
import { MoreButton } from "./more";
import { PlaceList } from "./place-lists";
import { IN_RAIL, PLACES, type Place } from "./places";

const OTHERS = Object.values<Place>(PLACES).filter((place) => !IN_RAIL.includes(place));
const WHOLE_SHOP = readQuery(new URLSearchParams());

export function Rail({ onFind }: { onFind: () => void }) {
  const { user: who } = useSession();
  const signOut = useSignOut();
  const { pathname } = useLocation();
  const { data: facets } = useFacets(WHOLE_SHOP);
  const counts: Record<string, number | undefined> = {
    [PLACES.products.to]: facets?.all,
    [PLACES.sources.to]: facets?.sources.length,
  };
  return (
    <header className="rail">
      <Brand />
      <button type="button" className="find" onClick={onFind}>
        <Icon of={magnifier} />
        Find
        <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Office">
        <PlaceList
          label="Office"
          places={[...IN_RAIL, ...OTHERS.filter(({ to }) => to === pathname)]}
          counts={counts}
        />
        <MoreButton className="rail-item" without={IN_RAIL} />
      </nav>
      <div className="mt-auto border-line border-t pt-3">
        <Link to={paths.listing} className="rail-item">
          <Icon of={eye} />
          View shop
        </Link>
        <BarLink to={paths.profile} state={FROM_OFFICE} className="rail-item">
          <Icon of={user} />
          <span className="truncate">{who?.username ?? "Profile"}</span>
        </BarLink>
        <div className="flex items-center justify-between">
          <button type="button" className="rail-item" onClick={() => void signOut()}>
            Logout
          </button>
          <ThemeToggle className="theme-toggle" />
        </div>
      </div>
    </header>
  );
}
