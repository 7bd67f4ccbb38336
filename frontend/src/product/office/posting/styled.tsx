import { createElement, type ReactNode } from "react";
import { truncate } from "../../../lib/truncate";

const CHARACTERS: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };
/** Characters of a link that are shown. */
const LINK = 36;

/** Returns the text of a post as a channel shows it, with short links: Telegram's markup as elements. */
export function styled(text: string, kind: string): ReactNode {
  return kind === "telegram" ? marked(text) : withLinks(text);
}

function marked(text: string): ReactNode {
  const parts = /^([\s\S]*?)<(b|i|s|u|code)>([\s\S]*?)<\/\2>([\s\S]*)$/.exec(text);
  if (!parts) {
    return withLinks(text.replaceAll(/&(lt|gt|amp|quot);/g, (all, name: string) => CHARACTERS[name] ?? all));
  }
  const [, before = "", tag = "", within = "", after = ""] = parts;
  return (
    <>
      {marked(before)}
      {createElement(tag, undefined, marked(within))}
      {marked(after)}
    </>
  );
}

/** Shortens addresses; each is a link that has the whole one. */
function withLinks(text: string): ReactNode {
  const [before = "", address, after = ""] = text.split(/(https?:\/\/\S+)([\s\S]*)/, 3);
  if (address === undefined) {
    return text;
  }
  return (
    <>
      {before}
      <a href={address} title={address} className="link font-normal" target="_blank" rel="noopener">
        {truncate(address.replace(/^https?:\/\/|\?\S*$/g, ""), LINK)}
      </a>
      {withLinks(after)}
    </>
  );
}
