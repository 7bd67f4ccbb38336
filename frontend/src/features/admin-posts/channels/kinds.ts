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
  webhook: { name: "Another app", hint: "Each post goes to an address as a signed message." },
  nowhere: { name: "Test (not sent)", hint: "Posts are written and kept here, to see how they look." },
};

/** Texts of posts to begin with, beside the usual one. */
export const DESIGNS: [name: string, template: string][] = [
  ["Short", "<b>{title}</b>\n{price} {saving}\n{link} #ad"],
  [
    "Loud",
    "🔥 <b>{title}</b>\n\n💰 <b>{price}</b> <s>{struck}</s> ({saving})\n✅ {verdict}\n🎟 Code <code>{code}</code>\n⏰ {end}\n\n👉 {link}\n#ad",
  ],
  [
    "Hindi",
    "<b>{title}</b>\nदाम <b>{price}</b>, पहले <s>{struck}</s> ({saving})\n{verdict}\nकूपन <code>{code}</code>\n{end}\n{seller} पर खरीदें: {link} #ad",
  ],
];

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
