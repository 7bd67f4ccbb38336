import { useState } from "react";
import { useChannels } from "../../../api/outgoing/channels";
import type { ChannelMade } from "../../../api/types";
import { ShownOnce } from "../../../ui/form/shown-once";
import { OfficeList } from "../../../ui/office-list";
import { Block } from "../../../ui/office-screen";
import { PostsFrame } from "../posts-frame";
import { ChannelForm } from "./channel-form";
import { ChannelRow } from "./channel-row";

/** Channels to which deals are posted, and the form for another. */
export function ChannelsPage() {
  const call = useChannels(5_000);
  const [made, setMade] = useState<ChannelMade>();
  const usual = call.data?.usualTemplate;
  return (
    <PostsFrame hint="A Telegram channel, a Discord server or another app where your deals are posted: from Products, by a rule, or from the queue. When a deal ends or its price changes, its post changes too.">
      <div className="grid gap-3">
        <OfficeList
          title="Your channels"
          failure="The channels could not be loaded"
          none="No channels yet. Add one with the form: a test channel shows posts without sending them."
          call={call}
        >
          {(channel) => <ChannelRow key={channel.id} of={channel} usual={usual ?? ""} />}
        </OfficeList>
        <Block title="New channel">
          {made?.secret !== undefined && (
            <ShownOnce
              key={made.channel.id}
              text={made.secret}
              name="secret"
              onDone={() => setMade(undefined)}
            >
              The channel is added, and this secret signs what it sends. Copy it now: it is never shown again.
            </ShownOnce>
          )}
          {usual !== undefined && <ChannelForm usual={usual} onDone={setMade} />}
        </Block>
      </div>
    </PostsFrame>
  );
}
