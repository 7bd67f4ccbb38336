import "./app.css";
import { StrictMode, startTransition } from "react";
import { BrowserRouter } from "react-router-dom";
import { readPageData } from "./api/page-data";
import { App } from "./app/app";
import { loadScreens } from "./app/mail-screens";
import type { EarlyClickRecorder } from "./lib/early-clicks";

/** Starts the app: hydrates the server's content, and handles earlier clicks. */
export async function startApp(root: HTMLElement, early?: EarlyClickRecorder): Promise<void> {
  // Yields before React is loaded, so that a slow phone can scroll.
  await new Promise((resolve) => setTimeout(resolve));
  const { createRoot, hydrateRoot } = await import("react-dom/client");
  if (/^\/(follow|subscriptions)/.test(location.pathname)) {
    await loadScreens();
  }
  const app = (
    <StrictMode>
      {/* No transitions: a screen that was left must not change before it is gone. */}
      <BrowserRouter useTransitions={false}>
        <App pageData={readPageData()} clicks={early?.stop()} onReady={early?.repeat} />
      </BrowserRouter>
    </StrictMode>
  );
  if (root.firstElementChild) {
    // In slices, so that a slow phone can scroll meanwhile.
    startTransition(() => {
      hydrateRoot(root, app);
    });
  } else {
    createRoot(root).render(app);
  }
}
