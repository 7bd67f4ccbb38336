import { useId, useState } from "react";
import { failureText } from "../../../api/failure";
import { useChannelChanges, useChannels } from "../../../api/outgoing/channels";
import type { Channel, Posted } from "../../../api/types";
import { office } from "../../../lib/office-paths";
import { counted } from "../../../lib/rupees";
import { useSession } from "../../../session/session";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Checkbox } from "../../../ui/form/choices";
import { Link } from "../../../ui/link";
import { PostPreview } from "./post-preview";

/** Maximum number of deals that are posted at once. */
export const MOST_POSTED = 20;

interface PostDialogProps {
  /** Products, at most {@link MOST_POSTED}. */
  ids: readonly string[];
  onClose: () => void;
}

/** Posts deals to the chosen channels, and says what became of them. */
export function PostDialog({ ids, onClose }: PostDialogProps) {
  const title = useId();
  const { data, error } = useChannels();
  const on = data?.data.filter((channel) => channel.on) ?? [];
  const [left, setLeft] = useState<readonly string[]>([]);
  const [results, setResults] = useState<readonly string[]>();
  const [pending, setPending] = useState(false);
  const { post } = useChannelChanges();
  const chosen = on.filter(({ id }) => !left.includes(id));
  const toggle = (id: string) =>
    setLeft(left.includes(id) ? left.filter((other) => other !== id) : [...left, id]);
  const postAll = async () => {
    setPending(true);
    const said = chosen.map(async (channel) => {
      try {
        return `${channel.name}: ${words(await post(channel.id, ids))}`;
      } catch (failure) {
        return `${channel.name}: ${failureText(failure)}`;
      }
    });
    setResults(await Promise.all(said));
    setPending(false);
  };
  return (
    <Dialog labelledBy={title} className="confirm" onClose={onClose}>
      <h2 id={title}>{ids.length === 1 ? "Post this deal" : `Post ${ids.length} deals`}</h2>
      <div className="flex flex-col gap-1 py-3">
        {error && !data && <p className="text-sm text-danger">{failureText(error)}</p>}
        {data && on.length === 0 && <NoChannel />}
        {!results &&
          on.map((channel) => (
            <Checkbox
              key={channel.id}
              checked={!left.includes(channel.id)}
              onChange={() => toggle(channel.id)}
            >
              {channel.kind === "nowhere" ? `${channel.name} (test)` : channel.name}
            </Checkbox>
          ))}
        {!results && <Previews of={chosen} id={ids[0]} several={ids.length > 1} />}
        <div role="status" className="text-sm">
          {results?.map((result) => (
            <p key={result} className="py-1">
              {result}
            </p>
          ))}
        </div>
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{results ? "Close" : "Cancel"}</Button>
        {on.length > 0 && !results && (
          <Button variant="primary" disabled={pending || chosen.length === 0} onClick={() => void postAll()}>
            {pending ? "Posting…" : "Post now"}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface PreviewsProps {
  of: readonly Channel[];
  id: string | undefined;
  several: boolean;
}

/** The text of the post, or of the first one, for each different template of the channels. */
function Previews({ of, id, several }: PreviewsProps) {
  const same =
    ({ kind, template }: Channel) =>
    (other: Channel) =>
      other.kind === kind && other.template === template;
  const different = of.filter((channel, at) => of.findIndex(same(channel)) === at);
  return different.map((channel) => {
    const names = of.filter(same(channel)).map(({ name }) => name);
    const title = `${several ? "The first post" : "The post"} in ${names.join(", ")}`;
    return (
      <div key={channel.id} className="grid gap-1 pt-2">
        <p className="quiet wrap-anywhere">{title}</p>
        <PostPreview kind={channel.kind} template={channel.template} id={id} label={title} />
      </div>
    );
  });
}

function NoChannel() {
  const { isAdmin } = useSession();
  return (
    <p className="hint">
      There is no channel that is on.{" "}
      {isAdmin ? (
        <Link to={office.channels}>Add one under Posts, Channels</Link>
      ) : (
        "Ask an administrator to add one"
      )}
      .
    </p>
  );
}

/** Says what became of deals. */
function words({ data }: Posted): string {
  const number = (wanted: string) => data.filter(({ result }) => result === wanted).length;
  const [queued, already, over] = [number("queued"), number("already"), number("not live")];
  const parts = [
    queued > 0 && `${counted(queued, "deal is", "deals are")} on the way.`,
    already > 0 && `${counted(already, "was", "were")} posted lately or waits already.`,
    over > 0 && `${counted(over, "is", "are")} not live now.`,
  ];
  return parts.filter(Boolean).join(" ");
}
