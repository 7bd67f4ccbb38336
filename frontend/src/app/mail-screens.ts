type Screens = typeof import("../features/follow/screens");

/** Screens about mails, once they are loaded; `ssr/mail-screens.ts` has them at once. */
export let screens: Screens | undefined;

/** Loads the screens, before the app starts where the server rendered one. */
export async function loadScreens(): Promise<Screens> {
  screens = await import("../features/follow/screens");
  return screens;
}
