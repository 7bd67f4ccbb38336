import { signIn } from "../api/users";
import { useSession } from "./session";

/** The last typed password and its address: in memory only, for as long as the page lives. */
let typed: { email: string; password: string } | undefined;

/** Remembers the credentials of a form that waits for a code. */
export function rememberPassword(email: string, password: string): void {
  typed = { email, password };
}

/**
 * Signs in with the password that was just typed for an address. Without one, or after a
 * refusal, the login form asks for it.
 */
export function useTypedPassword(): (email: string) => Promise<boolean> {
  const { begin } = useSession();
  return async (email) => {
    const password = typed?.email === email ? typed.password : undefined;
    typed = undefined;
    if (password === undefined) {
      return false;
    }
    try {
      begin((await signIn(email, password)).token);
      return true;
    } catch {
      return false;
    }
  };
}
