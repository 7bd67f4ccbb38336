/** A drawing by its name in Lucide, from `build/icons.ts`. */
declare module "icon:*" {
  const drawing: import("./ui/icon").Drawing;
  export default drawing;
}

/** The script of the capture bookmark, from `build/bookmark.ts`. */
declare module "bookmark:code" {
  const code: string;
  export default code;
}

/** Hosts and names of the link rules, from `build/known-shops.ts`. */
declare module "shops:known" {
  /** Regular expression of the names of shops with rules, in lower case. */
  export const names: string;
  /** Names of sellers by host, without `www.`. */
  export const sellers: Record<string, string>;
  /** Hosts of networks, short links and wrappers, behind which any seller may be. */
  export const silent: readonly string[];
  /** Hosts of chats, channels and profiles. */
  export const channels: readonly string[];
}
