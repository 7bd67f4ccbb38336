import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "../lib/paths";
import { useSession } from "../session/session";
import { Notice } from "../ui/notice";

interface RequireSessionProps {
  children: ReactNode;
  /** Only for administrators. */
  admin?: boolean;
}

/** Sends visitors to sign in, and back here afterwards. */
export function RequireSession({ children, admin = false }: RequireSessionProps) {
  const { status, isAdmin } = useSession();
  const { pathname, search } = useLocation();
  if (status === "out") {
    return <Navigate to={paths.login} replace state={{ from: pathname + search }} />;
  }
  if (status === "unknown") {
    return (
      <p role="status" className="py-10 text-sm text-ink-3">
        Loading...
      </p>
    );
  }
  if (admin && !isAdmin) {
    return (
      <div className="py-6">
        <title>Not allowed · Deals</title>
        <h1 tabIndex={-1} className="pb-4 text-lg font-semibold">
          Not allowed
        </h1>
        <Notice title="Only an administrator may do this.">
          <p className="text-sm text-ink-2">Sign in with an administrator's account to go on.</p>
        </Notice>
      </div>
    );
  }
  return children;
}
