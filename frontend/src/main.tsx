import "./app.css";
import { StrictMode, startTransition } from "react";
import { BrowserRouter } from "react-router-dom";
import { readServed } from "./api/served";
import { App } from "./app/app";
import type { Beforehand } from "./lib/beforehand";

/** Starts the app; it takes over the content that is there, and what was done with it. */
export async function startApp(root: HTMLElement, early?: Beforehand): Promise<void> {
  // React takes as long to be set up as the modules before it: a slow phone can be scrolled between.
  await new Promise((resolve) => setTimeout(resolve));
  const { createRoot, hydrateRoot } = await import("react-dom/client");
  const app = (
    <StrictMode>
      {/* Goes at once, in no transition: a screen that was left must not change before it is gone. */}
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
