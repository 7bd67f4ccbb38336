import { signIn } from "../api/users";
import { useSession } from "./session";

/** The password that was typed last, for the address it was typed for: as long as the page lives, and never stored. */
let typed: { email: string; password: string } | undefined;

/** Remembers what a form was sent with that waits for a code. */
export function rememberTyped(email: string, password: string): void {
  typed = { email, password };
}

/**
 * Signs in with what was just typed for an address. Where nothing was, or the server does not let
 * in, the login form asks as ever.
 */
export function useTyped(): (email: string) => Promise<boolean> {
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
