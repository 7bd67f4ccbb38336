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

/** Names of the shops of the link rules, from `build/known-shops.ts`. */
declare module "shops:known" {
  /** Regular expression of all names, in lower case. */
  export const names: string;
  /** Names by host, without `www.`, where the host does not spell the name. */
  export const sellers: Record<string, string>;
}
