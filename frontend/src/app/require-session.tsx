import { lazy, type ReactNode, Suspense, useRef } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { paths } from "../lib/paths";
import { useSession } from "../session/session";
import { useSignOut } from "../session/use-sign-out";
import { PageTitle } from "../shop/shop";
import { Button, ButtonLink } from "../ui/button";
import { Notice } from "../ui/notice";

const SignInAgain = lazy(() => import("../features/login/sign-in-again"));

interface RequireSessionProps {
  children: ReactNode;
  /** Accounts that may see the screen; all if left out. */
  for?: "staff" | "admins";
}

/** Redirects visitors to the login, which returns here. */
export function RequireSession({ children, for: who }: RequireSessionProps) {
  const { status, isAdmin, isStaff, lost, endSession } = useSession();
  const { pathname, search, hash } = useLocation();
  const from = pathname + search + hash;
  const seen = useRef(false);
  const signOut = useSignOut();
  const navigate = useNavigate();
  if (status === "out" && lost !== undefined) {
    return (
      <>
        {children}
        <Suspense>
          <SignInAgain email={lost} onCancel={() => endSession(true)} />
        </Suspense>
      </>
    );
  }
  if (status === "out") {
    return <Navigate to={paths.login} replace state={{ from }} />;
  }
  // Signing in again must not unmount the screen.
  if (status === "unknown" && !seen.current) {
    return (
      <p role="status" className="py-10 text-sm text-ink-3">
        Loading...
      </p>
    );
  }
  if (status === "in") {
    seen.current = true;
  }
  const may = who === undefined || (who === "admins" ? isAdmin : isStaff);
  if (!may && status === "in") {
    return (
      <div className="py-6">
        <PageTitle of="Not allowed" />
        <h1 tabIndex={-1} className="pb-4 text-lg font-semibold">
          Not allowed
        </h1>
        <Notice title="Only an administrator may do this.">
          <p className="hint">Sign in with an administrator's account to go on.</p>
          <div className="flex gap-2">
            <Button onClick={() => void signOut().then(() => navigate(paths.login, { state: { from } }))}>
              Sign in with another account
            </Button>
            {isStaff ? (
              <ButtonLink to={paths.admin}>Overview</ButtonLink>
            ) : (
              <ButtonLink to={paths.listing}>See all deals</ButtonLink>
            )}
          </div>
        </Notice>
      </div>
    );
  }
  return children;
}
