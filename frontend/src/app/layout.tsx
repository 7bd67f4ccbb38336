// Mirrored by src/http/pages/layout.rs

import circlePlus from "icon:circle-plus";
import circleUser from "icon:circle-user";
import house from "icon:house";
import magnifier from "icon:search";
import tag from "icon:tag";
import type { ReactNode } from "react";
import { NavLink, Outlet, useLocation } from "react-router-dom";
import { paths } from "../lib/paths";
import { Disclosure } from "../product/disclosure";
import { SEARCH_FIELD } from "../product/search-box";
import { useSession } from "../session/session";
import { useSignOut } from "../session/use-sign-out";
import { Icon } from "../ui/icon";
import { Link } from "../ui/link";
import { ErrorBoundary } from "./error-boundary";
import { OfflineLine } from "./offline-line";
import { ThemeToggle } from "./theme-toggle";
import { useFocusOnNavigation } from "./use-focus-on-navigation";
import { useScrollOnNavigation } from "./use-scroll-on-navigation";

/** The frame of every screen: a bar at the top where there is room, else at the bottom. */
export function Layout() {
  useScrollOnNavigation();
  useFocusOnNavigation();
  const { status, user, isAdmin } = useSession();
  const signOut = useSignOut();
  const { pathname } = useLocation();
  return (
    <>
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <OfflineLine />
      <header className="site-header">
        <div className="page top-bar">
          <Link to={paths.listing} className="brand">
            <Icon of={tag} />
            Deals
          </Link>
          <nav aria-label="Main" className="top-nav">
            <NavLink discover="none" to={paths.listing} end className="top-item">
              Home
            </NavLink>
            <SearchLink className="top-item">Search</SearchLink>
            {isAdmin && (
              <>
                <NavLink discover="none" to={paths.addProduct} className="top-item">
                  Add Product
                </NavLink>
                <NavLink discover="none" to={paths.adminProducts} className="top-item">
                  Manage
                </NavLink>
              </>
            )}
            <span />
            {status === "out" ? (
              <NavLink discover="none" to={paths.login} className="top-item">
                Login
              </NavLink>
            ) : (
              <>
                {/* A name may have 50 characters. */}
                <NavLink discover="none" to={paths.profile} className="top-item min-w-0 shrink">
                  <span className="truncate">{user?.username ?? "Profile"}</span>
                </NavLink>
                <button type="button" className="top-item" onClick={() => void signOut()}>
                  Logout
                </button>
              </>
            )}
          </nav>
          <ThemeToggle className="theme-toggle" />
        </div>
      </header>
      <main id="content" className="page content">
        <ErrorBoundary key={pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <footer className="page site-footer">
        <Disclosure />
      </footer>
      <nav aria-label="Main" className={isAdmin ? "bottom-bar grid-cols-5" : "bottom-bar"}>
        <NavLink discover="none" to={paths.listing} end className="bottom-item">
          <Icon of={house} />
          Home
        </NavLink>
        <SearchLink className="bottom-item">
          <Icon of={magnifier} />
          Search
        </SearchLink>
        {isAdmin && (
          <NavLink discover="none" to={paths.addProduct} className="bottom-item">
            <Icon of={circlePlus} />
            Add
          </NavLink>
        )}
        <NavLink discover="none" to={paths.profile} className="bottom-item">
          <Icon of={circleUser} />
          Profile
        </NavLink>
        <ThemeToggle className="bottom-item" />
      </nav>
    </>
  );
}

/** Leads to the search box; on the listing itself it keeps what is shown there. */
function SearchLink({ className, children }: { className: string; children: ReactNode }) {
  const here = useLocation().pathname === paths.listing;
  return (
    <Link
      to={{ pathname: paths.listing, hash: SEARCH_FIELD }}
      state={{ focusSearch: true }}
      onClick={(event) => {
        if (here) {
          event.preventDefault();
          document.getElementById(SEARCH_FIELD)?.focus();
        }
      }}
      className={className}
    >
      {children}
    </Link>
  );
}
