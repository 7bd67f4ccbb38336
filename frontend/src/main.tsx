import "./app.css";
import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { readServed } from "./api/served";
import { App } from "./app/app";
import type { Beforehand } from "./lib/beforehand";

/** Starts the app; it takes over the content that is there, and what was done with it. */
export function startApp(root: HTMLElement, early?: Beforehand): void {
  const app = (
    <StrictMode>
      {/* Who leaves a screen before something changes on it must have left it then. */}
      <BrowserRouter useTransitions={false}>
        <App served={readServed()} clicks={early?.stop()} onReady={early?.repeat} />
      </BrowserRouter>
    </StrictMode>
  );
  if (root.firstElementChild) {
    // In slices, so that a slow phone can be scrolled meanwhile.
    startTransition(() => {
      hydrateRoot(root, app);
    });
  } else {
    createRoot(root).render(app);
  }
}
