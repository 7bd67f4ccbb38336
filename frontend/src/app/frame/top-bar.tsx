import magnifier from "icon:search";
import { useLocation, useNavigate } from "react-router-dom";
import type { ProductQuery } from "../../api/products/query";
import { paths } from "../../lib/paths";
import { changed, listAddress, listBase, listParameters } from "../../product/list-state";
import { SearchBox } from "../../product/search-box";
import { useSession } from "../../session/session";
import { useSignOut } from "../../session/use-sign-out";
import {
  addProductLink,
  homeLink,
  loginLink,
  logoutButton,
  mainMenu,
  manageLink,
  profileLink,
  searchHint,
  searchLink,
} from "../../texts/en.json";
import { plural } from "../../texts/plural";
import { Icon } from "../../ui/icon";
import { BarLink } from "./bar-link";
import { Brand } from "./brand";
import { SavedLink } from "./saved-link";
import { SearchLink } from "./search-link";
import { ThemeToggle } from "./theme-toggle";

interface TopBarProps {
  query: ProductQuery;
  /** Deals that a search looks through. */
  deals: number | undefined;
  /** A deal's page has room for the price instead of the search, on phones. */
  onDeal: boolean;
}

export function TopBar({ query, deals, onDeal }: TopBarProps) {
  const { status, user, isStaff } = useSession();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const { hash, pathname, search } = useLocation();
  const shut = onDeal && hash !== "#search";
  return (
    <div className="page top-bar">
      <Brand />
      <nav aria-label={mainMenu} className="top-nav">
        <BarLink to={paths.listing} className="top-item">
          {homeLink}
        </BarLink>
        {isStaff && (
          <>
            <BarLink to={paths.addProduct} className="top-item">
              {addProductLink}
            </BarLink>
            <BarLink to={paths.admin} className="top-item">
              {manageLink}
            </BarLink>
          </>
        )}
      </nav>
      <search className={shut ? "site-search site-search-shut" : "site-search"}>
        <SearchBox
          value={query.search ?? ""}
          hint={deals ? plural(searchHint, deals) : undefined}
          onSearch={(text) => {
            const to = listAddress(changed(query, { search: text }));
            // The same query again adds no entry to the history.
            void navigate(to, { replace: to === pathname + search, state: { keepScroll: true } });
          }}
          action={listBase(query)}
          others={listParameters(changed(query, { search: "" }))}
        />
      </search>
      {shut && (
        <SearchLink className="top-item phone-only" aria-label={searchLink}>
          <Icon of={magnifier} />
        </SearchLink>
      )}
      <SavedLink className="top-item saved-link" />
      {status === "out" ? (
        <BarLink to={paths.login} className="top-item wide-only">
          {loginLink}
        </BarLink>
      ) : (
        <>
          {/* A name may have 50 characters. */}
          <BarLink to={paths.profile} className="top-item wide-only max-w-40">
            <span className="truncate">{user?.username ?? profileLink}</span>
          </BarLink>
          <button type="button" className="top-item wide-only" onClick={() => void signOut()}>
            {logoutButton}
          </button>
        </>
      )}
      <ThemeToggle className="theme-toggle" />
    </div>
  );
}
