import { failureText } from "../../../api/failure";
import { useQueueChanges } from "../../../api/outgoing/queue";
import { counted } from "../../../lib/rupees";
import { useToast } from "../../../ui/toast/toast";

/** Returns what puts drafts in the queue and says what became of them; true if one is there now. */
export function useQueueDrafts() {
  const { add } = useQueueChanges();
  const toast = useToast();
  return async (ids: readonly string[]): Promise<boolean> => {
    try {
      const answers = await add(ids);
      const refused = answers.filter(({ queued }) => !queued);
      const done = answers.length - refused.length;
      const title =
        answers.length === 1
          ? (answers[0]?.message ?? "")
          : `${counted(done, "draft is", "drafts are")} in the queue.`;
      const rest = answers.length > 1 && refused[0] ? ` ${refused.length} not: ${refused[0].message}` : "";
      toast({ title: `${title}${rest}`, failure: done === 0 });
      return done > 0;
    } catch (failure) {
      toast({ title: failureText(failure), failure: true });
      return false;
    }
  };
}
