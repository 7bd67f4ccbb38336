import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { office } from "../../lib/office-paths";
import { useSession } from "../../session/session";
import { Link } from "../../ui/link";
import { OfficeScreen } from "../../ui/office-screen";

const TABS = [
  { to: office.queue, name: "Planned" },
  { to: office.outgoing, name: "Sent" },
  { to: office.channels, name: "Channels" },
];

interface PostsFrameProps {
  /** Purpose of the tab, in a sentence. */
  hint: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The heading of all that goes out, with its tabs; editors see what is planned. */
export function PostsFrame({ hint, children, ...head }: PostsFrameProps) {
  const { isAdmin } = useSession();
  const { pathname } = useLocation();
  return (
    <OfficeScreen title="Posts" {...head}>
      {isAdmin && (
        <nav aria-label="Posts" className="views mb-3">
          {TABS.map(({ to, name }) => (
            <Link key={to} to={to} aria-current={to === pathname ? "page" : undefined}>
              {name}
            </Link>
          ))}
        </nav>
      )}
      <p className="hint max-w-[44rem]">{hint}</p>
      {children}
    </OfficeScreen>
  );
}
