import { CirclePlus, CircleUser, House, Search, Tag } from "lucide-react";
import type { ReactNode } from "react";
import { Link, NavLink, Outlet, useLocation } from "react-router-dom";
import { paths } from "../lib/paths";
import { Disclosure } from "../product/disclosure";
import { SEARCH_FIELD } from "../product/search-box";
import { useSession } from "../session/session";
import { useSignOut } from "../session/use-sign-out";
import { classNames } from "../ui/class-names";
import { ErrorBoundary } from "./error-boundary";
import { OfflineLine } from "./offline-line";
import { ThemeToggle } from "./theme-toggle";
import { useFocusOnNavigation } from "./use-focus-on-navigation";
import { useScrollOnNavigation } from "./use-scroll-on-navigation";

const TOP_LOOK =
  "inline-flex min-h-9 items-center gap-2 rounded px-3 text-sm text-ink-2 hover:bg-raised hover:text-ink";
const TOP_ITEM = `${TOP_LOOK} shrink-0`;
const BOTTOM_ITEM = "bottom-item aria-[current=page]:font-semibold aria-[current=page]:text-accent";

/** The frame of every screen: a bar at the top where there is room, else at the bottom. */
export function Layout() {
  useScrollOnNavigation();
  useFocusOnNavigation();
  const { status, user, isAdmin } = useSession();
  const signOut = useSignOut();
  const { pathname } = useLocation();
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <OfflineLine />
      <header className="hidden border-b border-line wide:block print:hidden">
        <div className="page top-bar">
          <Link
            to={paths.listing}
            className="mr-4 inline-flex items-center gap-2 rounded text-base font-semibold"
          >
            <Tag aria-hidden size={20} className="text-accent" />
            Deals
          </Link>
          <nav aria-label="Main" className="flex items-center gap-1">
            <NavLink to={paths.listing} end className={TOP_ITEM}>
              Home
            </NavLink>
            <SearchLink className={TOP_ITEM}>Search</SearchLink>
            {isAdmin && (
              <>
                <NavLink to={paths.addProduct} className={TOP_ITEM}>
                  Add Product
                </NavLink>
                <NavLink to={paths.adminProducts} className={TOP_ITEM}>
                  Manage
                </NavLink>
              </>
            )}
            <span className="flex-1" />
            {status === "out" ? (
              <NavLink to={paths.login} className={TOP_ITEM}>
                Login
              </NavLink>
            ) : (
              <>
                {/* A name may have 50 characters. */}
                <NavLink to={paths.profile} className={`${TOP_LOOK} min-w-0`}>
                  <span className="truncate">{user?.username ?? "Profile"}</span>
                </NavLink>
                <button type="button" className={TOP_ITEM} onClick={() => void signOut()}>
                  Logout
                </button>
              </>
            )}
          </nav>
          <ThemeToggle className="grid size-9 place-items-center rounded text-ink-2 hover:bg-raised hover:text-ink" />
        </div>
      </header>
      <main id="content" className="page pb-8">
        <ErrorBoundary key={pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <footer className="page pb-24 wide:pb-10">
        <Disclosure className="border-t border-line pt-4 text-xs text-ink-3" />
      </footer>
      <nav
        aria-label="Main"
        className={classNames(
          "bottom-bar wide:hidden print:hidden",
          isAdmin ? "grid-cols-5" : "grid-cols-4 noscript:grid-cols-3",
        )}
      >
        <NavLink to={paths.listing} end className={BOTTOM_ITEM}>
          <House aria-hidden size={20} strokeWidth={1.75} />
          Home
        </NavLink>
        <SearchLink className={BOTTOM_ITEM}>
          <Search aria-hidden size={20} strokeWidth={1.75} />
          Search
        </SearchLink>
        {isAdmin && (
          <NavLink to={paths.addProduct} className={BOTTOM_ITEM}>
            <CirclePlus aria-hidden size={20} strokeWidth={1.75} />
            Add
          </NavLink>
        )}
        <NavLink to={paths.profile} className={BOTTOM_ITEM}>
          <CircleUser aria-hidden size={20} strokeWidth={1.75} />
          Profile
        </NavLink>
        <ThemeToggle className={BOTTOM_ITEM} />
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
