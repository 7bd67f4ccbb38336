import type { ChannelKind } from "../../../api/types";

/** Kinds of channels, and what a channel of each needs, in words. */
export const KINDS: Record<ChannelKind, { name: string; hint: string }> = {
  telegram: {
    name: "Telegram",
    hint: "Make a bot with @BotFather, and let it post in your channel as an administrator.",
  },
  discord: {
    name: "Discord",
    hint: "In Discord: channel settings, Integrations, Webhooks. Make one and copy its address.",
  },
  webhook: { name: "Another program", hint: "Each post goes to an address as a signed message." },
  nowhere: { name: "Trial, sent nowhere", hint: "Posts are written and kept here, to see how they look." },
};

/** Places in a template that are filled with a deal's values, with the words of their buttons. */
export const PLACES: [place: string, words: string][] = [
  ["title", "Title"],
  ["price", "Price"],
  ["struck", "Old price"],
  ["saving", "Saving"],
  ["verdict", "Price check"],
  ["code", "Code"],
  ["seller", "Seller"],
  ["end", "End"],
  ["link", "Link"],
];
