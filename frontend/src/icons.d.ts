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
