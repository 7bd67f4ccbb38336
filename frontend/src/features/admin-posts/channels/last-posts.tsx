import { useChannels } from "../../../api/outgoing/channels";
import { office } from "../../../lib/office-paths";
import { ButtonLink } from "../../../ui/button";
import { Loaded } from "../../../ui/loaded";
import { Block } from "../../../ui/office-screen";
import { ChannelPosts } from "./channel-posts";

/** The last posts of each channel. */
export function LastPosts() {
  return (
    <Block title="Last posts">
      <Loaded call={useChannels()} failure="The channels could not be loaded">
        {({ data }) =>
          data.length === 0 ? (
            <div className="grid justify-items-start gap-3">
              <p className="hint">Deals are posted to channels, and you have none yet.</p>
              <ButtonLink to={office.channels}>Add a channel</ButtonLink>
            </div>
          ) : (
            <div className="grid gap-5">
              {data.map(({ id, name, kind }) => (
                <section key={id} aria-label={name}>
                  <h3 className="wrap-anywhere pb-1 font-semibold">{name}</h3>
                  <ChannelPosts id={id} name={name} kind={kind} />
                </section>
              ))}
            </div>
          )
        }
      </Loaded>
    </Block>
  );
}
