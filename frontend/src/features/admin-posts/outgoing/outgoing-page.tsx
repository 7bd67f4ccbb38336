import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { Job } from "../../../api/types";
import { counted } from "../../../lib/rupees";
import { moment } from "../../../lib/time";
import { Pager } from "../../../product/pager";
import { useAttempt } from "../../../session/use-attempt";
import { Button } from "../../../ui/button";
import { Confirm } from "../../../ui/dialog";
import { Loaded } from "../../../ui/loaded";
import { Block } from "../../../ui/office-screen";
import { LastPosts } from "../channels/last-posts";
import { PostsFrame } from "../posts-frame";
import { useOutgoing, useOutgoingChanges } from "./use-outgoing";

const VIEWS = [
  { name: "All", isFailed: false },
  { name: "Failed", isFailed: true },
];

export function OutgoingPage() {
  const [parameters, setParameters] = useSearchParams();
  const failed = parameters.has("failed");
  const page = Math.max(1, Math.trunc(Number(parameters.get("page"))) || 1);
  const call = useOutgoing(failed, page);
  const show = (isFailed: boolean, next = 1) =>
    setParameters({ ...(isFailed ? { failed: "1" } : {}), ...(next > 1 ? { page: String(next) } : {}) });
  const pages = call.data?.meta.totalPages ?? 1;
  return (
    <PostsFrame hint="Sent posts, and posts, mails, webhook events and copies of pictures that wait to be sent. Failures are retried, later each time; final ones are kept for a week.">
      <div className="form-first">
        <Block title="On their way" note={call.data && counted(call.data.meta.total, "message", "messages")}>
          <div className="flex gap-2 pb-3">
            {VIEWS.map(({ name, isFailed }) => (
              <Button
                key={name}
                aria-pressed={failed === isFailed}
                className="aria-pressed:border-accent aria-pressed:bg-accent-bg"
                onClick={() => show(isFailed)}
              >
                {name}
              </Button>
            ))}
          </div>
          <Loaded call={call} failure="The list could not be loaded">
            {({ data }) =>
              data.length === 0 ? (
                <p className="hint">{failed ? "Nothing failed." : "All sent."}</p>
              ) : (
                <ul className="deal-rows">
                  {data.map((job) => (
                    <JobRow key={job.id} of={job} />
                  ))}
                </ul>
              )
            }
          </Loaded>
          {pages > 1 && <Pager page={page} totalPages={pages} onPage={(next) => show(failed, next)} />}
        </Block>
        <LastPosts />
      </div>
    </PostsFrame>
  );
}

function JobRow({ of: job }: { of: Job }) {
  const { retry, drop } = useOutgoingChanges();
  const [isAsking, setAsking] = useState(false);
  const tryIt = useAttempt();
  const attempt = (work: () => Promise<unknown>, title: string) => {
    setAsking(false);
    return tryIt(work, title);
  };
  return (
    <li aria-label={`${job.what} to ${job.to}`} className="line grid-cols-1 gap-2">
      <b className="break-words">{job.what}</b>
      <p className="quiet break-all">to {job.to}</p>
      <p className={job.attempts > 0 ? "text-sm text-danger" : "quiet"}>{stateOf(job)}</p>
      {job.lastError !== "" && <p className="quiet break-words">{job.lastError}</p>}
      <div className="flex flex-wrap gap-2">
        {job.attempts > 0 && (
          <Button onClick={() => void attempt(() => retry(job), "It is tried again")}>Try again</Button>
        )}
        <Button variant="danger" onClick={() => setAsking(true)}>
          Drop
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title="Drop this message?"
          confirm="Drop"
          onConfirm={() => void attempt(() => drop(job), "It is dropped")}
          onCancel={() => setAsking(false)}
        >
          <p>It is not sent. This can't be undone.</p>
        </Confirm>
      )}
    </li>
  );
}

function stateOf({ attempts, nextAt, expiresAt }: Job): string {
  const failures = attempts === 0 ? "" : `Failed ${counted(attempts, "time", "times")}. `;
  const end = expiresAt === null ? "" : ` It is kept until ${moment(expiresAt)}.`;
  return nextAt === null ? `${failures}Given up.${end}` : `${failures}Next attempt: ${moment(nextAt)}`;
}
