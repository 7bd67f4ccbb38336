import { failureText } from "../api/failure";
import { useToast } from "../ui/toast/toast";

/** Returns a function that does some work, and says that it is done, if there are words for it, or why it failed. */
export function useAttempt() {
  const toast = useToast();
  return async (work: () => Promise<unknown>, title?: string) => {
    try {
      await work();
      if (title !== undefined) {
        toast({ title });
      }
    } catch (failure) {
      toast({ title: failureText(failure), failure: true });
    }
  };
}
