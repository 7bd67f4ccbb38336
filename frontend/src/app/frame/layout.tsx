import circlePlus from "icon:circle-plus";
import circleUser from "icon:circle-user";
import house from "icon:house";
import dashboard from "icon:layout-dashboard";
import magnifier from "icon:search";
import { type ReactNode, useMemo } from "react";
import { Outlet, useLocation, useSearchParams } from "react-router-dom";
import { useCardFacets, useHome } from "../../api/products/related";
import { pageSize } from "../../lib/constants.json";
import { paths } from "../../lib/paths";
import { isUnfiltered, listAddress, onShelf, readQuery, useShelf } from "../../product/list-state";
import { useSession } from "../../session/session";
import { useCategoryNames } from "../../shop/categories";
import {
  addLink,
  homeLink,
  mainMenu,
  manageLink,
  profileLink,
  savedTab,
  searchLink,
  skipToContent,
  skipToDeals,
} from "../../texts/en.json";
import { Icon } from "../../ui/icon";
import { ErrorBoundary } from "../error-boundary";
import { useFocusOnNavigation } from "../use-focus-on-navigation";
import { useScrollOnNavigation } from "../use-scroll-on-navigation";
import { BarLink } from "./bar-link";
import { CategoriesBar } from "./categories-bar";
import { Footer } from "./footer";
import { OfflineLine } from "./offline-line";
import { ShopPromise } from "./promise";
import { SavedLink } from "./saved-link";
import { SearchLink } from "./search-link";
import { ThemeToggle } from "./theme-toggle";
import { TopBar } from "./top-bar";

/** Frame of every screen: a top bar, and a bottom bar on narrow screens. */
export function Layout({ children = <Outlet /> }: { children?: ReactNode }) {
  useScrollOnNavigation();
  useFocusOnNavigation();
  const { isStaff } = useSession();
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const { isShelf, shelf } = useShelf();
  const onList = pathname === paths.listing || isShelf;
  const onDeal = pathname.startsWith(paths.details(""));
  const categories = useCategoryNames();
  const query = useMemo(
    () => onShelf(readQuery(onList ? parameters : new URLSearchParams(), pageSize, categories), shelf),
    [onList, parameters, categories, shelf],
  );
  const { data: facets } = useCardFacets(query);
  const { data: home } = useHome(pathname === paths.listing && listAddress(query) === paths.listing);
  const isEmpty = facets?.all === 0 && isUnfiltered(query);
  return (
    <>
      <a href="#content" className="skip-link btn">
        {skipToContent}
      </a>
      {onList && !isEmpty && (
        <a href="#deals" className="skip-link btn">
          {skipToDeals}
        </a>
      )}
      <OfflineLine />
      <header className="site-header">
        <TopBar query={query} deals={facets?.all} onDeal={onDeal} />
        {home && facets && !isEmpty && <ShopPromise facets={facets} home={home} />}
      </header>
      {!isEmpty && <CategoriesBar query={query} facets={facets} onList={onList} onDeal={onDeal} />}
      <main id="content" className="page content">
        <ErrorBoundary key={onList ? paths.listing : pathname}>{children}</ErrorBoundary>
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
        {isStaff ? (
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
        ) : (
          <SavedLink className="bottom-item saved-tab">{savedTab}</SavedLink>
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
