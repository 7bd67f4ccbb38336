import { isWebAddress } from "../../../schemas/product";

export const LINK = /https?:\/\/[^\s<>"'|\\]+/gi;

/** Returns the web addresses in a text, without the punctuation behind them. */
export function linksIn(text: string): string[] {
  const found = text.match(LINK) ?? [];
  return found.map((link) => link.replace(/[).,!?;:\]}*…]+$/u, "")).filter(isWebAddress);
}
