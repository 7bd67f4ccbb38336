import user from "icon:circle-user";
import eye from "icon:external-link";
import magnifier from "icon:search";
import { useFacets } from "../../api/products/related";
import { paths } from "../../lib/paths";
import { readQuery } from "../../product/list-state";
import { useSession } from "../../session/session";
import { useSignOut } from "../../session/use-sign-out";
import { Icon } from "../../ui/icon";
import { Link } from "../../ui/link";
import { BarLink } from "../frame/bar-link";
import { Brand } from "../frame/brand";
import { ThemeToggle } from "../frame/theme-toggle";
import { PlaceLists } from "./place-lists";
import { PLACES } from "./places";

const WHOLE_SHOP = readQuery(new URLSearchParams());

export function Rail({ onFind }: { onFind: () => void }) {
  const { user: who } = useSession();
  const signOut = useSignOut();
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
        <PlaceLists counts={counts} />
      </nav>
      <div className="mt-auto shrink-0 border-line border-t pt-2">
        <div className="flex items-center justify-between">
          <Link to={paths.listing} className="rail-item">
            <Icon of={eye} />
            View shop
          </Link>
          <ThemeToggle className="theme-toggle" />
        </div>
        <div className="flex items-center justify-between">
          <BarLink to={paths.profile} className="rail-item min-w-0">
            <Icon of={user} />
            <span className="truncate">{who?.username ?? "Profile"}</span>
          </BarLink>
          <button type="button" className="rail-item w-auto" onClick={() => void signOut()}>
            Logout
          </button>
        </div>
      </div>
    </header>
  );
}
