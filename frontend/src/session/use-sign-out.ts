import { useNavigate } from "react-router-dom";
import { signOut, signOutEverywhere } from "../api/users";
import { paths } from "../lib/paths";
import { signedOut } from "../texts/en.json";
import { useToast } from "../ui/toast/toast";
import { useSession } from "./session";

/**
 * Signs out: removes the session from this browser at once; if the server can't be reached,
 * the call is repeated later. Signing out everywhere needs the server's answer, so that it
 * can be retried.
 */
export function useSignOut(): (everywhere?: boolean) => Promise<void> {
  const { endSession } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  return async (everywhere = false) => {
    const call = everywhere ? signOutEverywhere() : signOut();
    const failure = await call.then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (failure === undefined || !everywhere) {
      // Navigate first: a screen that requires a session would redirect to the login.
      await navigate(paths.listing);
      endSession(failure === undefined);
    }
    toast(failure === undefined ? { title: signedOut } : { title: failure, failure: true });
  };
}
