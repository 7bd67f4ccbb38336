import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import useSWR from "swr";
import { onRefused } from "../api/client";
import type { User } from "../api/types";
import { fetchUser, hasEnded, signOut } from "../api/users";
import { store, stored, useStored } from "../lib/device/storage";

/** Storage key of the token (spec section 3). */
const KEY = "token";
/** Storage key that is set while a sign-out has not reached the server. */
const PENDING = "sign-out-pending";

/** `unknown` until the server has answered. */
type Status = "unknown" | "in" | "out";

interface Session {
  status: Status;
  user: User | undefined;
  isAdmin: boolean;
  /** Administrators and editors, who work in the office. */
  isStaff: boolean;
  /** User whose session ended while in use, and who is asked for the password. */
  lost: string | undefined;
  /** Asks the server again who is signed in, if it did not answer. */
  retry?: (() => void) | undefined;
  /** Starts a session with the server's answer. */
  begin: (token: string) => void;
  /** Removes the session from this browser; `reached`: from the server too. */
  endSession: (reached: boolean) => void;
}

const SessionContext = createContext<Session>({
  status: "out",
  user: undefined,
  isAdmin: false,
  isStaff: false,
  lost: undefined,
  begin: () => undefined,
  endSession: () => undefined,
});

export function useSession(): Session {
  return useContext(SessionContext);
}

/** Repeats a sign-out that did not reach the server. */
function useFinishedSignOut(): void {
  useEffect(() => {
    const finish = () => {
      if (stored(PENDING) !== null && stored(KEY) === null) {
        signOut().then(
          () => store(PENDING, null),
          () => undefined,
        );
      }
    };
    finish();
    window.addEventListener("online", finish);
    return () => window.removeEventListener("online", finish);
  }, []);
}

interface SessionProviderProps {
  children: ReactNode;
  /** Called when a stored session has ended. */
  onEnded: () => void;
}

/**
 * Provides the session: fetches the user of the stored token when the app starts and when
 * the token changes, in this tab or another. Only a refusal ends the session, not a network
 * failure.
 */
export function SessionProvider({ children, onEnded }: SessionProviderProps) {
  const token = useStored(KEY);

  useFinishedSignOut();
  const [lost, setLost] = useState<string>();
  const refused = useRef(false);
  const used = useRef<User>(undefined);
  const {
    data: user,
    error,
    mutate,
  } = useSWR<User>(token === null ? null : ["user", token], ([, named]: [string, string]) =>
    fetchUser(refused.current ? undefined : named),
  );

  // Any refused call may mean that the session has ended, or that the browser has lost its cookie.
  useEffect(
    () =>
      onRefused(() => {
        refused.current = true;
        if (stored(KEY) === null && used.current !== undefined) {
          // Somebody has cleared what this browser stores, which no event tells.
          setLost(used.current.email);
          store(KEY, null);
        } else {
          void mutate();
        }
      }),
    [mutate],
  );
  useEffect(() => {
    used.current = user ?? used.current;
    // The next page reserves room for the buttons of the office (build/head.js).
    store("admin", user !== undefined && user.Role !== "user" ? "1" : stored("admin"));
  }, [user]);

  const ended = hasEnded(error);
  useEffect(() => {
    // Another tab may have started a session meanwhile.
    if (ended && token !== null && stored(KEY) === token) {
      store(KEY, null);
      store("admin", null);
      setLost(used.current?.email);
      if (used.current === undefined) {
        onEnded();
      }
    }
  }, [ended, token, onEnded]);

  const session = useMemo<Session>(() => {
    const known = token === null ? undefined : user;
    return {
      status: token === null ? "out" : known ? "in" : "unknown",
      user: known,
      isAdmin: known?.Role === "admin",
      isStaff: known !== undefined && known.Role !== "user",
      lost: token === null ? lost : undefined,
      retry: error && !ended ? () => void mutate() : undefined,
      begin: (next) => {
        store(PENDING, null);
        setLost(undefined);
        refused.current = false;
        store(KEY, next);
      },
      endSession: (reached) => {
        store(PENDING, reached ? null : "1");
        store("admin", null);
        setLost(undefined);
        used.current = undefined;
        store(KEY, null);
      },
    };
  }, [token, user, lost, error, ended, mutate]);

  return <SessionContext value={session}>{children}</SessionContext>;
}
