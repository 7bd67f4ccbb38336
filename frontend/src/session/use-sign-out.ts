import { useNavigate } from "react-router-dom";
import { signOut, signOutEverywhere } from "../api/users";
import { paths } from "../lib/paths";
import { useToast } from "../ui/toast/toast";
import { useSession } from "./session";

/**
 * Signs out: this browser forgets the session at once, also when the server can't
 * be reached, which is then made up for. Signing out everywhere is only done when
 * the server has done it, so that it can be tried again.
 */
export function useSignOut(): (everywhere?: boolean) => Promise<void> {
  const { forget } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  return async (everywhere = false) => {
    const call = everywhere ? signOutEverywhere() : signOut();
    const failure = await call.then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (failure === undefined || !everywhere) {
      // Away first: a screen that asks for a session would lead to the login.
      await navigate(paths.listing);
      forget(failure === undefined);
    }
    toast(failure === undefined ? { title: "You are signed out" } : { title: failure, failure: true });
  };
}
