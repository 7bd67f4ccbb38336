import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useRef,
} from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { onRefused } from "../api/client";
import { fetchUser, hasEnded } from "../api/users";
import { stored } from "../lib/device/storage";
import { paths } from "../lib/paths";
import { AsksForCode } from "../session/confirmed";
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
  /** Heading until the server has said who is signed in. */
  title?: string;
  /** Nothing around the screen has a landmark until then. */
  alone?: boolean;
}

/** True below a screen that asks for the password of an ended session. */
const Asks = createContext(false);

/** Redirects visitors to the login, which returns here; asks for the password of a session that ended. */
export function RequireSession(props: RequireSessionProps) {
  return useContext(Asks) ? (
    <Allowed {...props} />
  ) : (
    <Asks value>
      <SignedIn {...props} />
    </Asks>
  );
}

function SignedIn(props: RequireSessionProps) {
  const { status, lost, endSession } = useSession();
  useRepeats();
  return (
    <>
      <Allowed {...props} />
      <AsksForCode />
      {status === "out" && lost !== undefined && (
        <Suspense>
          <SignInAgain email={lost} onCancel={() => endSession(true)} />
        </Suspense>
      )}
    </>
  );
}

/** Milliseconds after which a refused call ends if nobody is asked for a password. */
const UNASKED = 5_000;

/** Holds back calls that an ended session refused, and repeats them after signing in again. */
function useRepeats(): void {
  const { status, lost } = useSession();
  const asks = useRef(false);
  useEffect(() => {
    asks.current = status === "out" && lost !== undefined;
  }, [status, lost]);
  const waiting = useRef<((again: boolean) => void)[]>([]);
  const wasOut = useRef(false);
  const settle = useCallback((again: boolean) => {
    for (const resolve of waiting.current.splice(0)) {
      resolve(again);
    }
  }, []);
  useEffect(() => {
    const stop = onRefused(async () => {
      const token = stored("token");
      const ended = token === null || (await fetchUser().then(() => false, hasEnded));
      return (
        ended &&
        new Promise<boolean>((resolve) => {
          waiting.current.push(resolve);
          setTimeout(() => !asks.current && resolve(false), UNASKED);
        })
      );
    });
    return () => {
      stop();
      settle(false);
    };
  }, [settle]);
  useEffect(() => {
    if (status === "out") {
      wasOut.current = true;
    } else if (status === "in" && wasOut.current) {
      wasOut.current = false;
      settle(true);
    }
  }, [status, settle]);
}

function Allowed({ children, for: who, title = "Signing in", alone = false }: RequireSessionProps) {
  const { status, isAdmin, isStaff, lost } = useSession();
  const { pathname, search, hash } = useLocation();
  const from = pathname + search + hash;
  const seen = useRef(false);
  // The button that was pressed is gone with the wait: the focus goes to the screen.
  const retried = useRef(false);
  const onRetry = () => {
    retried.current = true;
  };
  useEffect(() => {
    if (status === "in" && retried.current) {
      retried.current = false;
      document.querySelector("h1")?.focus();
    }
  }, [status]);
  const signOut = useSignOut();
  const navigate = useNavigate();
  if (status === "out" && lost !== undefined) {
    return children;
  }
  if (status === "out") {
    return <Navigate to={paths.login} replace state={{ from }} />;
  }
  // Signing in again must not unmount the screen.
  if (status === "unknown" && !seen.current) {
    return alone ? (
      <main id="content" className="page content">
        <Waiting title={title} onRetry={onRetry} />
      </main>
    ) : (
      <Waiting title={title} onRetry={onRetry} />
    );
  }
  if (status === "in") {
    seen.current = true;
  }
  const may = who === undefined || (who === "admins" ? isAdmin : isStaff);
  if (!may && status === "in") {
    return (
      <Headed title="Not allowed">
        <Notice title="Only an administrator may do this.">
          <p className="hint">Sign in with an administrator's account to continue.</p>
          <div className="flex gap-2">
            <Button onClick={() => void signOut().then(() => navigate(paths.login, { state: { from } }))}>
              Sign in with another account
            </Button>
            {isStaff ? (
              <ButtonLink to={paths.admin}>Today</ButtonLink>
            ) : (
              <ButtonLink to={paths.listing}>See all deals</ButtonLink>
            )}
          </div>
        </Notice>
      </Headed>
    );
  }
  return children;
}

function Waiting({ title, onRetry }: { title: string; onRetry: () => void }) {
  const { retry } = useSession();
  return (
    <Headed title={title}>
      <div role="status">
        {retry ? (
          <Notice title="This screen could not be loaded">
            <p className="hint">The shop does not answer. Check your connection.</p>
            <Button
              onClick={() => {
                onRetry();
                retry();
              }}
            >
              Retry
            </Button>
          </Notice>
        ) : (
          <p className="text-sm text-ink-3">Loading...</p>
        )}
      </div>
    </Headed>
  );
}

/** A heading with what is in place of the screen. Were it `ui/screen`, the list would load that. */
function Headed({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-6 py-6 wide:py-10">
      <PageTitle of={title} />
      <h1 tabIndex={-1} className="text-lg font-semibold">
        {title}
      </h1>
      {children}
    </div>
  );
}
