/** A drawing by its name in Lucide, from `build/icons.ts`. */
declare module "icon:*" {
  const drawing: import("./ui/icon").Drawing;
  export default drawing;
}
