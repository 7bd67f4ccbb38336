/** Stands in for `src/app/mail-screens.ts` in the server's bundle, which loads nothing on demand. */
export * as screens from "../src/features/follow/screens";

export function loadScreens(): never {
  throw new Error("the server's screens are not loaded on demand");
}
