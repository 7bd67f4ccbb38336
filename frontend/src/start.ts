import "./styles.css";
import { recordEarlyClicks } from "./lib/early-clicks";

/*
 * The first script of every page. Pages with content are painted before the app is fetched.
 */

const root = document.getElementById("root");

if (root?.firstElementChild) {
  const early = recordEarlyClicks();
  afterPaint(async () => {
    const { startApp } = await import("./main");
    await startApp(root, early);
  });
} else if (root) {
  delete window.earlyClicks;
  void import("./main").then(({ startApp }) => startApp(root));
}

/** Runs a task after the first paint; at once in a hidden tab, which is never painted. */
function afterPaint(task: () => Promise<void>): void {
  if (document.visibilityState === "hidden") {
    void task();
  } else {
    requestAnimationFrame(() => setTimeout(task));
  }
}

if (import.meta.env.PROD) {
  // After everything on the page. Browsers offer it only over https, or on localhost.
  window.addEventListener("load", () => void navigator.serviceWorker?.register("/sw.js"));
}
