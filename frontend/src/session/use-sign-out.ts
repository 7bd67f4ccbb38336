import { useNavigate } from "react-router-dom";
import { signOut, signOutEverywhere } from "../api/users";
import { paths } from "../lib/paths";
import { useToast } from "../ui/toast";
import { useSession } from "./session";

/**
 * Signs out: this browser forgets the session at once, also when the server
 * can't be reached, and the visitor is told when that was so.
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
    forget();
    navigate(paths.listing);
    toast(failure === undefined ? { title: "You are signed out" } : { title: failure, failure: true });
  };
}
