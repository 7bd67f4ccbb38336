import { failureText } from "../../api/failure";
import { useOpenSessions } from "../../api/own-account";
import type { OpenSession } from "../../api/types";
import { ago } from "../../lib/time";
import { Button } from "../../ui/button";
import { useToast } from "../../ui/toast/toast";
import { ProfileSection } from "./profile-section";

/** Sessions of the account, with a button to end each but this one. */
export function Sessions() {
  const { data, end } = useOpenSessions();
  const toast = useToast();
  if (!data) {
    return null;
  }
  const finish = async (session: OpenSession) => {
    try {
      await end(session);
      toast({ title: "The session has ended" });
      document.querySelector("h1")?.focus();
    } catch (failure) {
      toast({ title: failureText(failure), failure: true });
    }
  };
  return (
    <ProfileSection title="Where you are signed in">
      <ul className="divide-y divide-line">
        {data.data.map((session) => (
          <li key={session.id} className="flex items-center justify-between gap-3 py-2.5">
            <div className="min-w-0">
              <b className="font-semibold break-words">{session.device || "Unknown device"}</b>
              <p className="text-sm break-words text-ink-3">
                {session.current ? (
                  "this session"
                ) : (
                  <>
                    seen <time dateTime={session.lastSeenAt}>{ago(session.lastSeenAt)}</time>
                  </>
                )}
                {session.address !== null && ` · from ${session.address}`}
              </p>
            </div>
            {!session.current && (
              <Button
                aria-label={`End ${session.device || "the session"}, seen ${ago(session.lastSeenAt)}`}
                onClick={() => void finish(session)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
    </ProfileSection>
  );
}
