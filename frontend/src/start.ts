import "./styles.css";
import { beforehand } from "./lib/beforehand";

/*
 * The first and smallest script of every page. Pages that come with their content are
 * shown before the app is fetched, so that pictures and words don't wait for code.
 */

const root = document.getElementById("root");

if (root?.firstElementChild) {
  const early = beforehand();
  afterPaint(async () => {
    const { startApp } = await import("./main");
    await startApp(root, early);
  });
} else if (root) {
  delete window.earlyClicks;
  void import("./main").then(({ startApp }) => startApp(root));
}

/** Runs a task once the page has been painted; a page in no tab's view never is. */
function afterPaint(task: () => Promise<void>): void {
  if (document.visibilityState === "hidden") {
    void task();
  } else {
    requestAnimationFrame(() => setTimeout(task));
  }
}

if (import.meta.env.PROD) {
  // Later than everything that the page shows. Browsers have it only over https, or on this machine.
  window.addEventListener("load", () => void navigator.serviceWorker?.register("/sw.js"));
}
