import { createElement, type ReactNode } from "react";

const CHARACTERS: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };

/** Returns text with Telegram's markup as elements; anything else stays text. */
export function styled(text: string): ReactNode {
  const parts = /^([\s\S]*?)<(b|i|s|u|code)>([\s\S]*?)<\/\2>([\s\S]*)$/.exec(text);
  if (!parts) {
    return text.replaceAll(/&(lt|gt|amp|quot);/g, (all, name: string) => CHARACTERS[name] ?? all);
  }
  const [, before = "", tag = "", within = "", after = ""] = parts;
  return (
    <>
      {styled(before)}
      {createElement(tag, undefined, styled(within))}
      {styled(after)}
    </>
  );
}
