import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import useSWR from "swr";
import { ApiError, onRefused } from "../api/client";
import { fetchUser, signOut, type User } from "../api/users";
import { store, stored, useStored } from "../lib/device/storage";

/** Where the token is kept (spec section 3). */
const KEY = "token";
/** Set while a sign-out has not reached the server. */
const PENDING = "sign-out-pending";

/** `unknown` while the server is asked, and while it can't be reached. */
type Status = "unknown" | "in" | "out";

interface Session {
  status: Status;
  user: User | undefined;
  /** False for visitors. */
  isAdmin: boolean;
  /** Whose session ended while it was in use: they are asked for their password. */
  lost: string | undefined;
  /** Begins a session with what the server answered. */
  begin: (token: string) => void;
  /** Forgets the session in this browser; `reached` says whether the server did too. */
  forget: (reached: boolean) => void;
}

const SessionContext = createContext<Session>({
  status: "out",
  user: undefined,
  isAdmin: false,
  lost: undefined,
  begin: () => undefined,
  forget: () => undefined,
});

export function useSession(): Session {
  return useContext(SessionContext);
}

interface SessionProviderProps {
  children: ReactNode;
  /** Called when a stored session turns out to have ended. */
  onEnded: () => void;
}

/**
 * Knows who is signed in: asks the server whose token is stored, when the app
 * starts and whenever the token changes, in this tab or in another. Only a
 * refusal ends the session; a dead network does not.
 */
export function SessionProvider({ children, onEnded }: SessionProviderProps) {
  const token = useStored(KEY);

  // A sign-out that did not reach the server is made up for.
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

  const [lost, setLost] = useState<string>();
  const {
    data: user,
    error,
    mutate,
  } = useSWR<User>(token === null ? null : ["user", token], ([, named]: [string, string]) =>
    fetchUser(named),
  );

  // Any call that is refused may mean that the session has ended.
  useEffect(() => onRefused(() => void mutate()), [mutate]);
  const used = useRef<User>(undefined);
  useEffect(() => {
    used.current = user ?? used.current;
    // The next page keeps room for what only administrators see (build/head.js).
    store("admin", user?.Role === "admin" ? "1" : stored("admin"));
  }, [user]);

  const ended = error instanceof ApiError && (error.status === 401 || error.status === 404);
  useEffect(() => {
    // Another tab may have begun a new session in the meantime.
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
      lost: token === null ? lost : undefined,
      begin: (next) => {
        store(PENDING, null);
        setLost(undefined);
        store(KEY, next);
      },
      forget: (reached) => {
        store(PENDING, reached ? null : "1");
        store("admin", null);
        setLost(undefined);
        used.current = undefined;
        store(KEY, null);
      },
    };
  }, [token, user, lost]);

  return <SessionContext value={session}>{children}</SessionContext>;
}
