import { ChannelsPage } from "./channels/channels-page";
import { OutgoingPage } from "./outgoing/outgoing-page";
import { QueuePage } from "./queue/queue-page";

const TABS = { planned: QueuePage, sent: OutgoingPage, channels: ChannelsPage };

/** Everything about posts, which is loaded at once. */
export default function PostsPage({ tab }: { tab: keyof typeof TABS }) {
  const Tab = TABS[tab];
  return <Tab />;
}
