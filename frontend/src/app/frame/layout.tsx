import circlePlus from "icon:circle-plus";
import circleUser from "icon:circle-user";
import house from "icon:house";
import dashboard from "icon:layout-dashboard";
import magnifier from "icon:search";
import { type ReactNode, useMemo } from "react";
import { Outlet, useLocation, useSearchParams } from "react-router-dom";
import { useFacets } from "../../api/products/related";
import { paths } from "../../lib/paths";
import { isUnfiltered, readQuery } from "../../product/list-state";
import { useSession } from "../../session/session";
import {
  addLink,
  homeLink,
  mainMenu,
  manageLink,
  profileLink,
  searchLink,
  skipToContent,
} from "../../texts/en.json";
import { Icon } from "../../ui/icon";
import { ErrorBoundary } from "../error-boundary";
import { useFocusOnNavigation } from "../use-focus-on-navigation";
import { useScrollOnNavigation } from "../use-scroll-on-navigation";
import { BarLink } from "./bar-link";
import { CategoriesBar } from "./categories-bar";
import { Footer } from "./footer";
import { OfflineLine } from "./offline-line";
import { SearchLink } from "./search-link";
import { ThemeToggle } from "./theme-toggle";
import { TopBar } from "./top-bar";
import { useHiddenBar } from "./use-hidden-bar";

/** Frame of every screen: a top bar, and a bottom bar on narrow screens. */
export function Layout({ children = <Outlet /> }: { children?: ReactNode }) {
  useScrollOnNavigation();
  useFocusOnNavigation();
  const { isStaff } = useSession();
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const onList = pathname === paths.listing;
  const query = useMemo(() => readQuery(onList ? parameters : new URLSearchParams()), [onList, parameters]);
  const { data: facets } = useFacets(query);
  const isEmpty = facets?.all === 0 && isUnfiltered(query);
  const away = useHiddenBar();
  return (
    <>
      <a href="#content" className="skip-link">
        {skipToContent}
      </a>
      <OfflineLine />
      <header className={away ? "site-header site-header-away" : "site-header"}>
        <TopBar query={query} />
        {!isEmpty && (
          <CategoriesBar
            query={query}
            facets={facets}
            onList={onList}
            onDeal={pathname.startsWith(paths.details(""))}
          />
        )}
      </header>
      <main id="content" className="page content">
        <ErrorBoundary key={pathname}>{children}</ErrorBoundary>
      </main>
      <Footer />
      <nav aria-label={mainMenu} className={isStaff ? "bottom-bar grid-cols-6" : "bottom-bar"}>
        <BarLink to={paths.listing} className="bottom-item">
          <Icon of={house} />
          {homeLink}
        </BarLink>
        <SearchLink className="bottom-item">
          <Icon of={magnifier} />
          {searchLink}
        </SearchLink>
        {isStaff && (
          <>
            <BarLink to={paths.addProduct} className="bottom-item">
              <Icon of={circlePlus} />
              {addLink}
            </BarLink>
            <BarLink to={paths.admin} className="bottom-item">
              <Icon of={dashboard} />
              {manageLink}
            </BarLink>
          </>
        )}
        <BarLink to={paths.profile} className="bottom-item">
          <Icon of={circleUser} />
          {profileLink}
        </BarLink>
        <ThemeToggle className="bottom-item" />
      </nav>
    </>
  );
}
