import { type ComponentProps, createContext, type ReactElement, type ReactNode, useContext } from "react";

// Stands in for `react-router-dom` in the server's bundle, where a page has one address.

interface Location {
  pathname: string;
  search: string;
  hash: string;
  state: null;
  key: string;
}

const LocationContext = createContext<Location>({
  pathname: "/",
  search: "",
  hash: "",
  state: null,
  key: "default",
});
const ParamsContext = createContext<Readonly<Record<string, string>>>({});
const OutletContext = createContext<ReactNode>(null);

/** Provides the path and query that a page is rendered for. */
export function StaticRouter({ address, children }: { address: string; children: ReactNode }) {
  const at = address.indexOf("?");
  const [pathname, search] = at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at)];
  return (
    <LocationContext value={{ pathname, search, hash: "", state: null, key: "default" }}>
      {children}
    </LocationContext>
  );
}

export function useLocation(): Location {
  return useContext(LocationContext);
}

export function useNavigationType(): "POP" {
  return "POP";
}

export function useParams(): Readonly<Record<string, string>> {
  return useContext(ParamsContext);
}

export function useSearchParams(): [URLSearchParams, () => never] {
  return [new URLSearchParams(useLocation().search), refuse];
}

export function useNavigate(): () => never {
  return refuse;
}

function refuse(): never {
  throw new Error("a page that the server renders can't lead to another");
}

export { refuse as Navigate };

interface LinkProps extends ComponentProps<"a"> {
  to: string;
  discover: "none";
  state?: unknown;
  replace?: boolean;
}

/** A link to an absolute path, which the browser's router must not resolve to another. */
export function Link({ to, discover, state, replace, ...rest }: LinkProps) {
  if (discover !== "none" || !to.startsWith("/") || to.includes("//") || to.includes("/.")) {
    throw new Error(`${to} is not an address of a screen`);
  }
  return <a {...rest} href={to} />;
}

interface RouteProps {
  /** A layout has none. */
  path?: string;
  element: ReactNode;
  children?: Routed;
}

type Routed = ReactElement<RouteProps> | readonly ReactElement<RouteProps>[];

/** A route, which `Routes` reads. */
export { refuse as Route };

/** Shows the first route that fits the address, in the layout around it. */
export function Routes({ children }: { children: Routed }) {
  return fitting(children, useLocation().pathname) ?? refuse();
}

export function Outlet() {
  return useContext(OutletContext);
}

function fitting(routes: Routed, pathname: string): ReactNode {
  for (const { props } of [routes].flat()) {
    if (props.children !== undefined) {
      const inside = fitting(props.children, pathname);
      if (inside !== undefined) {
        return <OutletContext value={inside}>{props.element}</OutletContext>;
      }
    }
    const params = props.path === undefined ? undefined : paramsOf(props.path, pathname);
    if (params !== undefined) {
      return <ParamsContext value={params}>{props.element}</ParamsContext>;
    }
  }
  return undefined;
}

/** Returns the parameters of a path that fits a pattern like `/details/:id`. */
function paramsOf(pattern: string, pathname: string): Record<string, string> | undefined {
  if (pattern === "*") {
    return {};
  }
  const parts = pattern.split("/");
  const given = pathname.split("/");
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const value = given[at];
    if (part.startsWith(":") && value) {
      // As React Router does: an encoded slash may be encoded twice.
      params[part.slice(1)] = decodeURIComponent(value).replaceAll("%2F", "/");
    } else if (part !== value) {
      return undefined;
    }
  }
  return parts.length === given.length ? params : undefined;
}
