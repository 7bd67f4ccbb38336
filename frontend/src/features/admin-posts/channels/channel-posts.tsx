import { useChannelPosts } from "../../../api/outgoing/channels";
import type { ChannelKind, ChannelPost } from "../../../api/types";
import { paths } from "../../../lib/paths";
import { shortMoment } from "../../../lib/time";
import { styled } from "../../../product/office/posting/styled";
import { Button } from "../../../ui/button";
import { Link } from "../../../ui/link";

const STATES: Record<ChannelPost["state"], string> = {
  waiting: "Waits",
  sending: "Being sent",
  sent: "Posted",
  failed: "Failed",
};

interface ChannelPostsProps {
  id: string;
  name: string;
  kind: ChannelKind;
}

/** The last posts of a channel. */
export function ChannelPosts({ id, name, kind }: ChannelPostsProps) {
  const { data, error, mutate } = useChannelPosts(id);
  if (!data) {
    return error ? <Button onClick={() => void mutate()}>Load the posts again</Button> : null;
  }
  if (data.data.length === 0) {
    return <p className="hint">Nothing was posted yet.</p>;
  }
  return (
    <ol aria-label={`Posts in ${name}`} className="deal-rows">
      {data.data.map((post) => (
        <li key={`${post.id} ${post.queuedAt}`} className="grid gap-1 border-t border-line py-2">
          <Link to={paths.details(post.id)} className="link wrap-anywhere">
            {post.title}
          </Link>
          <p className="quiet tabular">
            {`${STATES[post.state]} · ${shortMoment(post.sentAt ?? post.queuedAt)} · ${post.byRule ? "by rule" : "by hand"}`}
          </p>
          {post.error !== "" && <p className="text-sm text-danger">{post.error}</p>}
          {post.text !== "" && (
            <details className="disclosure">
              <summary className="text-sm">Show the text</summary>
              <p className="text-sm whitespace-pre-wrap wrap-anywhere">{styled(post.text, kind)}</p>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
